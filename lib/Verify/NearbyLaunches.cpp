#include "Verify/NearbyLaunches.h"

#include "Machine/Agent.h"
#include "Verify/LaunchFor.h"

#include <cstdlib>
#include <random>
#include <set>

namespace sluice {
namespace {

constexpr int64_t largestConstant = 4096, mostTrips = 9;

/// Small numbers, and small multiples of each constant with a neighbour on either side.
std::vector<int64_t> numbersNear(const Program &program) {
  std::set<int64_t> numbers;
  for (int64_t n = -2; n <= mostTrips; ++n)
    numbers.insert(n);
  walk(program.body, [&](const Stmt &s) {
    const auto *scalar = std::get_if<Scalar>(&s.op);
    if (!scalar || scalar->op != ScalarOp::constant)
      return;
    const int64_t c = std::abs(scalar->imm);
    for (int64_t times = 1; c > 1 && c <= largestConstant && times <= mostTrips; ++times)
      numbers.insert({times * c - 1, times * c, times * c + 1});
  });
  return {numbers.begin(), numbers.end()};
}

/// Tensors whose elements are named one by one: counters, and integers that are read. That they are
/// there is assumed, so that no extent grows.
std::set<int> namedTensors(const Program &program) {
  std::set<int> named;
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
      named.insert(scalar->object);
    else if (auto *add = std::get_if<CounterAdd>(&s.op))
      named.insert(add->counter.object);
    else if (auto *wait = std::get_if<CounterWait>(&s.op))
      named.insert(wait->counter.object);
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

} // namespace

std::vector<Launch> nearbyLaunches(const Program &program, const Launch &given, size_t count) {
  const std::vector<int64_t> numbers = numbersNear(program);
  const std::set<int> named = namedTensors(program);
  const std::vector<bool> read = scalarTensors(program);
  const int64_t least = dividesByUnknowns(program) ? 1 : 0;
  std::mt19937_64 random(1);
  const auto draw = [&] { return numbers[random() % numbers.size()]; };
  std::vector<Launch> launches;
  for (size_t i = 0; i < count; ++i) {
    Launch launch = given;
    for (size_t t = 0; t < program.tensors.size(); ++t) {
      const std::vector<int64_t> &fixed = program.tensors[t].extents;
      std::vector<int64_t> &extents = launch.tensors[t].extents;
      const bool brief = read[t] && random() % 2; // as many as a text shows
      for (size_t d = 0; brief && d < extents.size(); ++d)
        if (d >= fixed.size() || fixed[d] < 0)
          extents[d] = std::min(extents[d], mostTrips);
      if (read[t])
        launch.tensors[t].integers = integersOf(launch.tensors[t], least, random);
      if (named.count(static_cast<int>(t)))
        continue;
      for (size_t d = 0; d < extents.size(); ++d)
        if (d >= fixed.size() || fixed[d] < 0)
          extents[d] = std::max<int64_t>(draw(), 0);
      launch.tensors[t].integers.clear();
    }
    for (int64_t &argument : launch.arguments)
      argument = draw();
    setDenseStrides(program, launch);
    launches.push_back(std::move(launch));
  }
  return launches;
}

} // namespace sluice
