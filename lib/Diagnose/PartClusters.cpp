#include "Diagnose/PartClusters.h"

#include "Diagnose/LaunchFor.h"
#include "Program/Assumption.h"
#include "Program/GridLimits.h"

#include <algorithm>

namespace sluice {
namespace {

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

} // namespace sluice
