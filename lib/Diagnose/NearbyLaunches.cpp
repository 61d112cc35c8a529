#include "Diagnose/NearbyLaunches.h"

#include "Diagnose/LaunchFor.h"
#include "Program/Agent.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <random>
#include <set>

namespace sluice {
namespace {

constexpr int64_t largestConstant = 4096, mostTrips = 9;

/// The constants of the program that extents may be counted in.
std::set<int64_t> constantsOf(const Program &program) {
  std::set<int64_t> constants;
  walk(program.body, [&](const Stmt &s) {
    const auto *scalar = std::get_if<Scalar>(&s.op);
    const int64_t c = scalar && scalar->op == ScalarOp::constant ? std::abs(scalar->imm) : 0;
    if (c > 1 && c <= largestConstant)
      constants.insert(c);
  });
  return constants;
}

/// Small numbers, and small multiples of each constant with a neighbour on either side.
std::vector<int64_t> numbersNear(const std::set<int64_t> &constants) {
  std::set<int64_t> numbers;
  for (int64_t n = -2; n <= mostTrips; ++n)
    numbers.insert(n);
  for (const int64_t c : constants)
    for (int64_t times = 1; times <= mostTrips; ++times)
      numbers.insert({times * c - 1, times * c, times * c + 1});
  return {numbers.begin(), numbers.end()};
}

/// Tensors whose elements are named one by one: counters, and integers that are read. That they are
/// there is assumed, so that no extent grows.
std::set<int> namedTensors(const Program &program) {
  std::set<int> named;
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
      named.insert(scalar->object);
    else if (const View *counter = counterDeed(s.op).counter)
      named.insert(counter->object);
  });
  return named;
}

/// Integers that the program reads: small ones, in ascending order where they may be places.
std::vector<int64_t> integersOf(const Launch::Shape &shape, int64_t least,
                                std::mt19937_64 &random) {
  constexpr int64_t mostElements = 1 << 12, mostStep = 9;
  int64_t elements = 1;
  for (const int64_t extent : shape.extents)
    elements = std::min(elements * std::max<int64_t>(extent, 0), mostElements + 1);
  std::vector<int64_t> integers;
  if (elements > mostElements)
    return integers;
  const bool ascending = random() % 2 == 0;
  for (int64_t sum = least; elements > 0; --elements) {
    const auto drawn = least + static_cast<int64_t>(random() % (mostStep + 1 - least));
    integers.push_back(ascending ? sum : drawn);
    sum += drawn;
  }
  return integers;
}

/// Whether something is divided by a number that is no constant: verdicts assume that it is not 0.
bool dividesByUnknowns(const Program &program) {
  std::set<ValueId> constants;
  bool divides = false;
  walk(program.body, [&](const Stmt &s) {
    const auto *scalar = std::get_if<Scalar>(&s.op);
    if (scalar && scalar->op == ScalarOp::constant)
      constants.insert(scalar->result);
    if (scalar && (scalar->op == ScalarOp::divS || scalar->op == ScalarOp::remS ||
                   scalar->op == ScalarOp::ceilDiv))
      divides |= !constants.count(scalar->operands[1]);
  });
  return divides;
}

class Nearby {
public:
  Nearby(const Program &program, const Launch &given)
      : program_(program), given_(given), constants_(constantsOf(program)),
        numbers_(numbersNear(constants_)), named_(namedTensors(program)),
        read_(scalarTensors(program)), least_(dividesByUnknowns(program) ? 1 : 0) {}

  /// Extents that have nothing to do with each other, that are alike, and one that is long.
  Launch draw(size_t number) {
    Launch launch = given_;
    const std::optional<int64_t> alike =
        number % 3 == 1 ? std::optional(this->number()) : std::nullopt;
    for (size_t t = 0; t < program_.tensors.size(); ++t)
      if (read_[t])
        setIntegers(t, number % 4 < 3, launch.tensors[t]);
      else
        launch.tensors[t].integers.clear();
    for (int64_t *extent : freeExtents(launch))
      *extent = std::max<int64_t>(alike && random_() % 4 ? *alike : this->number(), 0);
    if (number % 3 == 2)
      lengthen(launch);
    for (int64_t &argument : launch.arguments)
      argument = this->number();
    setDenseStrides(program_, launch);
    return launch;
  }

private:
  int64_t number() { return numbers_[random_() % numbers_.size()]; }
  bool isFree(size_t tensor, size_t dimension) const {
    const std::vector<int64_t> &fixed = program_.tensors[tensor].extents;
    return dimension >= fixed.size() || fixed[dimension] < 0;
  }

  std::vector<int64_t *> freeExtents(Launch &launch) const {
    std::vector<int64_t *> extents;
    for (size_t t = 0; t < launch.tensors.size(); ++t)
      for (size_t d = 0; d < launch.tensors[t].extents.size(); ++d)
        if (isFree(t, d) && !named_.count(static_cast<int>(t)))
          extents.push_back(&launch.tensors[t].extents[d]);
    return extents;
  }

  void lengthen(Launch &launch) {
    constexpr int64_t mostSteps = 512;
    const std::vector<int64_t *> extents = freeExtents(launch);
    if (extents.empty() || constants_.empty())
      return;
    const int64_t step = *std::next(constants_.begin(), random_() % constants_.size());
    *extents[random_() % extents.size()] =
        step * static_cast<int64_t>(random_() % mostSteps) + static_cast<int64_t>(random_() % 2);
  }

  /// `brief`: of a tensor so short that a text shows the whole.
  void setIntegers(size_t tensor, bool brief, Launch::Shape &shape) {
    for (size_t d = 0; brief && d < shape.extents.size(); ++d)
      if (isFree(tensor, d))
        shape.extents[d] = std::min(shape.extents[d], mostTrips);
    shape.integers = integersOf(shape, least_, random_);
  }

  const Program &program_;
  const Launch &given_;
  std::set<int64_t> constants_;
  std::vector<int64_t> numbers_;
  std::set<int> named_;
  std::vector<bool> read_;
  int64_t least_; // of integers
  std::mt19937_64 random_{1};
};

} // namespace

std::vector<Launch> nearbyLaunches(const Program &program, const Launch &given, size_t count) {
  Nearby nearby(program, given);
  std::vector<Launch> launches;
  for (size_t i = 0; i < count; ++i)
    launches.push_back(nearby.draw(i));
  return launches;
}

bool lacksCounters(const Program &program, const Violation &violation) {
  bool counts = false;
  walk(program.body, [&](const Stmt &s) {
    const View *counter = counterDeed(s.op).counter;
    counts |= counter && program.tensors[counter->object].name == violation.barrier;
  });
  return violation.rule == "R24" && counts;
}

} // namespace sluice
