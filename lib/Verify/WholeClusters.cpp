#include "Verify/WholeClusters.h"

#include "Program/Assumption.h"
#include "Program/GridLimits.h"
#include "Verify/LaunchFor.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

/// A number that divides each scalar in front of the grid, at every launch; 0 divides 0 alone.
class Divisors {
public:
  explicit Divisors(const Program &program)
      : program_(program), divisors_(size_t(program.values), 1) {}

  void follow(const Scalar &s) { divisors_[size_t(s.result)] = divisorOf(s); }
  int64_t of(ValueId v) const { return divisors_[size_t(v)]; }

private:
  int64_t divisorOf(const Scalar &s) const {
    const auto operand = [&](size_t i) { return of(s.operands[i]); };
    switch (s.op) {
    case ScalarOp::constant:
      return s.imm;
    case ScalarOp::dim:
      return fixedExtent(s);
    case ScalarOp::mul:
      return product(operand(0), operand(1));
    case ScalarOp::add:
      if (s.operands[0] == s.operands[1])
        return product(2, operand(0));
      [[fallthrough]];
    case ScalarOp::sub:
    case ScalarOp::minS:
    case ScalarOp::maxS:
      return std::gcd(operand(0), operand(1));
    case ScalarOp::select:
      return std::gcd(operand(1), operand(2));
    default:
      return 1;
    }
  }

  int64_t fixedExtent(const Scalar &dim) const {
    const std::vector<int64_t> &extents = program_.tensors[size_t(dim.object)].extents;
    const bool fixed = dim.imm < int64_t(extents.size()) && extents[size_t(dim.imm)] >= 0;
    return fixed ? extents[size_t(dim.imm)] : 1;
  }

  /// Of factors beyond any cluster one alone is kept.
  static int64_t product(int64_t a, int64_t b) {
    constexpr int64_t most = int64_t{1} << 31;
    return std::abs(a) < most && std::abs(b) < most ? a * b : a;
  }

  const Program &program_;
  std::vector<int64_t> divisors_;
};

bool endsInsideCluster(const Program &program, const Launch &launch) {
  const std::vector<int64_t> grid = gridExtents(program, launch);
  bool inside = false;
  for (size_t d = 0; d < std::min<size_t>(grid.size(), 3); ++d)
    inside |= grid[d] % program.cluster[d] != 0;
  return inside && gridFault(program, grid).empty() && !brokenAssumption(program, launch);
}

/// Extents that the types leave open, and arguments.
std::vector<int64_t *> unknownsOf(const Program &program, Launch &launch) {
  std::vector<int64_t *> unknowns;
  for (size_t t = 0; t < program.tensors.size(); ++t) {
    const std::vector<int64_t> &fixed = program.tensors[t].extents;
    std::vector<int64_t> &extents = launch.tensors[t].extents;
    for (size_t d = 0; d < extents.size(); ++d)
      if (d >= fixed.size() || fixed[d] < 0)
        unknowns.push_back(&extents[d]);
  }
  for (size_t i = 0; i < program.arguments.size(); ++i)
    if (program.arguments[i].type != DType::f32)
      unknowns.push_back(&launch.arguments[i]);
  return unknowns;
}

/// Around whole numbers of tiles, whose sizes are among the constants in front of the grid.
std::vector<int64_t> valuesToTry(const Program &program) {
  constexpr int64_t most = 17; // clusters have 16 CTAs at most
  std::vector<int64_t> values;
  for (int64_t tiles = 1; tiles <= most; ++tiles)
    values.push_back(tiles);
  for (const Stmt &s : program.body.stmts)
    if (auto *scalar = std::get_if<Scalar>(&s.op);
        scalar && scalar->op == ScalarOp::constant && scalar->imm > 1 && scalar->imm < 1 << 20)
      for (int64_t tiles = 1; tiles <= most; ++tiles)
        values.push_back(tiles * scalar->imm);
  return values;
}

} // namespace

std::optional<Launch> launchOfPartClusters(const Program &program, const Launch &given) {
  Launch launch = given;
  const size_t count = unknownsOf(program, launch).size();
  for (size_t which = 0; which < count; ++which)
    for (const bool alone : {true, false})
      for (const int64_t value : valuesToTry(program)) {
        launch = given;
        const std::vector<int64_t *> unknowns = unknownsOf(program, launch);
        const int64_t before = *unknowns[which];
        for (size_t other = 0; other < count; ++other)
          if (other == which || (!alone && *unknowns[other] == before))
            *unknowns[other] = value;
        setDenseStrides(program, launch);
        if (endsInsideCluster(program, launch))
          return launch;
      }
  return std::nullopt;
}

std::vector<std::string> assumedWholeClusters(const Program &program) {
  std::vector<std::string> texts;
  Divisors divisors(program);
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      divisors.follow(*scalar);
    auto *grid = std::get_if<Grid>(&s.op);
    for (size_t d = 0; grid && d < std::min<size_t>(grid->extents.size(), 3); ++d)
      if (divisors.of(grid->extents[d]) % program.cluster[d] != 0)
        texts.push_back("whole-clusters: the grid has a multiple of " +
                        std::to_string(program.cluster[d]) + " CTAs in dimension " +
                        std::to_string(d) + " (checked at launch)");
  }
  return texts;
}

} // namespace sluice
