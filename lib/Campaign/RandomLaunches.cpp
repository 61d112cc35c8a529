#include "Campaign/RandomLaunches.h"

#include "Program/Agent.h"
#include "Program/Assumption.h"
#include "Program/CoreMeeting.h"
#include "Program/GridLimits.h"
#include "Program/OperationFacts.h"
#include "Program/Strides.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace sluice {
namespace {

constexpr int64_t largestConstant = 512, mostMultiple = 9, largestDrawn = 2048;

std::vector<int64_t> constantsOf(const Program &program) {
  std::set<int64_t> found{1};
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::constant)
      if (const int64_t c = std::abs(scalar->imm); c > 0 && c <= largestConstant)
        found.insert(c);
  });
  return {found.begin(), found.end()};
}

/// Dense, but every stride as far apart as the tensor promises.
void setStrides(const Tensor &tensor, Launch::Shape &shape) {
  const int64_t apart = elementsApart(tensor);
  shape.strides.assign(shape.extents.size(), 1);
  int64_t next = 1;
  const auto place = [&](size_t d) {
    shape.strides[d] = next;
    next = (next * std::max<int64_t>(shape.extents[d], 1) + apart - 1) / apart * apart;
  };
  if (!shape.extents.empty())
    place(static_cast<size_t>(tensor.minor));
  for (size_t d = shape.extents.size(); d-- > 0;)
    if (static_cast<int>(d) != tensor.minor)
      place(d);
}

int64_t ctasOf(const Program &program, const Launch &launch) {
  int64_t ctas = 1;
  for (const int64_t extent : gridExtents(program, launch))
    ctas *= extent;
  return ctas;
}

} // namespace

std::set<int> countersOf(const Program &program) {
  std::set<int> found;
  walk(program.body, [&](const Stmt &s) {
    if (const View *counter = counterDeed(s.op).counter)
      found.insert(counter->object);
  });
  return found;
}

void takeLegalStrides(const Program &program, Launch &launch) {
  for (size_t t = 0; t < launch.tensors.size(); ++t)
    setStrides(program.tensors[t], launch.tensors[t]);
}

bool isLegal(const Program &program, const Launch &launch) {
  if (brokenAssumption(program, launch))
    return false;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &tensor = program.tensors[i];
    const Launch::Shape &shape = launch.tensors[i];
    if (std::ranges::find(shape.extents, 0) != shape.extents.end())
      continue; // nothing to reach by a stride
    if (!keepsLines(tensor, shape))
      return false;
  }
  const std::vector<int64_t> grid = gridExtents(program, launch);
  for (size_t d = 0; d < grid.size(); ++d)
    if (grid[d] < 1 || grid[d] % program.cluster[d])
      return false;
  return gridFault(program, grid).empty();
}

RandomLaunches::RandomLaunches(const Program &program, const Launch &given, uint64_t seed)
    : program_(program), given_(given), random_(seed), constants_(constantsOf(program)),
      integers_(scalarTensors(program)), counters_(countersOf(program)) {
  std::set<int64_t> numbers;
  for (const int64_t c : constants_)
    for (int64_t times = 0; times <= mostMultiple && times * c <= largestDrawn; ++times)
      numbers.insert({std::max<int64_t>(times * c - 1, 0), times * c, times * c + 1});
  numbers_.assign(numbers.begin(), numbers.end());
  for (const int counter : counters_)
    integers_[counter] = true;
}

int64_t RandomLaunches::number() {
  return numbers_[random_() % numbers_.size()];
}

std::optional<Launch> RandomLaunches::draw() {
  const uint64_t kind = random_() % 10;
  return legal(kind == 0 ? Size::long_ : kind == 1 ? Size::wide : Size::small, mostCtas);
}

std::optional<Launch> RandomLaunches::legal(Size size, int64_t most) {
  constexpr int draws = 100;
  const bool joined = joinsGrid(program_);
  most = joined ? std::min(most, mostJoined) : most;
  for (int i = 0; i < draws; ++i) {
    Launch launch = drawn(i < draws / 2 ? size : Size::small);
    if (isLegal(program_, launch) && ctasOf(program_, launch) <= most)
      return launch;
  }
  return {};
}

Launch RandomLaunches::drawn(Size size) {
  Launch launch = given_;
  setExtents(launch, size);
  for (int64_t &argument : launch.arguments) {
    argument = number();
    if (size == Size::long_ && random_() % 2)
      argument = static_cast<int64_t>(random_() % mostTrips);
    if (random_() % 3 == 0)
      argument = -argument;
  }
  for (size_t t = 0; t < launch.tensors.size(); ++t) {
    Launch::Shape &shape = launch.tensors[t];
    shape.integers.clear();
    setStrides(program_.tensors[t], shape);
    if (!integers_[t])
      continue;
    int64_t elements = std::accumulate(shape.extents.begin(), shape.extents.end(), int64_t{1},
                                       std::multiplies<>());
    const bool counts = counters_.contains(static_cast<int>(t)); // they begin at 0
    for (; elements > 0; --elements)
      shape.integers.push_back(counts ? 0 : static_cast<int64_t>(random_() % 12) - 2);
  }
  return launch;
}

/// Long and wide: one, or two, of the extents are many steps of one of the program's constants.
void RandomLaunches::setExtents(Launch &launch, Size size) {
  std::vector<int64_t *> free;
  for (size_t t = 0; t < launch.tensors.size(); ++t) {
    const std::vector<int64_t> &fixed = program_.tensors[t].extents;
    std::vector<int64_t> &extents = launch.tensors[t].extents;
    for (size_t d = 0; d < extents.size(); ++d)
      if ((d >= fixed.size() || fixed[d] < 0) && !integers_[t])
        free.push_back(&extents[d]);
  }
  const int64_t alike = number(); // most programs want some extents of one size
  const bool mostAlike = random_() % 2;
  for (int64_t *extent : free)
    *extent = mostAlike && random_() % 4 ? alike : number();
  const auto grow = [&](int64_t steps) {
    if (!free.empty())
      *free[random_() % free.size()] =
          constants_[random_() % constants_.size()] * static_cast<int64_t>(random_() % steps) +
          static_cast<int64_t>(random_() % 2);
  };
  if (size == Size::long_)
    grow(mostTrips);
  for (int i = 0; size == Size::wide && i < 2; ++i)
    grow(random_() % 2 ? 64 : 1024);
}

} // namespace sluice
