#include "Plan/GemmGrid.h"

#include "Arch/GemmCosts.h"
#include "Program/Registers.h"

#include <algorithm>
#include <cmath>

namespace sluice {

int64_t partBytes(int64_t row) {
  for (const int64_t line : {128, 64, 32, 112, 80, 48, 16})
    if (row % line == 0)
      return line;
  return row;
}

int64_t GemmGrid::steps() const {
  return std::max<int64_t>(ceilDiv(problem.K * byteSize(problem.type), arch.lineBytes), 1);
}

bool GemmGrid::copying() const {
  return byThreads(problem.rowBytesA) || byThreads(problem.rowBytesB);
}

bool GemmGrid::copiesAhead(const GemmShape &s) const {
  return copying() && !problem.groups && !swapped;
}

int64_t GemmGrid::residents(const GemmShape &s) const {
  if (!copiesAhead(s))
    return 1;
  constexpr int64_t others = 72; // ptxas 13: registers of a thread beside its accumulators
  const int64_t registers = 128 * s.warpgroups() * (problem.sums * s.accumulators() + others);
  const int64_t sums = s.split > 1 ? s.bm * s.bn * sumBytes : 0;
  const int64_t bytes = stages(s) * (s.bm + s.bn) * arch.lineBytes +
                        s.bm * s.columns() * byteSize(problem.out) + sums;
  const int64_t most = std::min(arch.registersPerSm / registers, arch.sharedBytes / bytes);
  return std::max<int64_t>(most, 1);
}

std::string GemmGrid::registersLack(const GemmShape &s) const {
  // ptxas: a loop over products takes 28, one that copies too 61.
  const int64_t sums = problem.sums * s.accumulators(), others = copiesAhead(s) ? 64 : 32;
  const int64_t groups = s.warpgroups() + (copiesAhead(s) ? 0 : 1);
  const int64_t atLaunch = registersAtLaunch(4 * groups, arch.registersPerSm);
  const int64_t copies = copying() ? registersOfCopying : registersForCopies;
  const int64_t given = (atLaunch * groups - copies) / s.warpgroups() / 8 * 8;
  const int64_t has =
      copiesAhead(s) ? std::min(atLaunch, mostRegisters) : std::min(given, mostRegistersOfARole);
  const std::string threads = "a thread of " + std::to_string(s.warpgroups()) + " warpgroups" +
                              (copiesAhead(s) ? "" : " beside one for copies") + " has ";
  if (sums + others > has)
    return "registers: " + std::to_string(sums) + " for the accumulators and " +
           std::to_string(others) + " others; " + threads + std::to_string(has);
  if (const int64_t needed = registersOfProduct(s.bn, false); needed > atLaunch)
    return "registers: " + std::to_string(needed) + " for one instruction; " + threads +
           std::to_string(atLaunch) + " at launch";
  return "";
}

std::pair<int64_t, int64_t> GemmGrid::tiles(const GemmShape &s) const {
  if (problem.groups)
    return {ceilDiv(problem.M, s.bm) + problem.groups - 1, ceilDiv(problem.N, s.bn)};
  return {ceilDiv(ceilDiv(problem.M, s.bm), s.clusterM) * s.clusterM,
          ceilDiv(ceilDiv(problem.N, s.bn), s.clusterN) * s.clusterN};
}

int64_t GemmGrid::atOnce(const GemmShape &s) const {
  constexpr int64_t pair = 2;
  const int64_t usable = s.ctas() > pair ? arch.gemm->coresOfClusters : arch.cores;
  return usable * residents(s) / s.ctas() * s.ctas();
}

int64_t rowsOfSquare(int64_t rows, int64_t ctas, const GemmShape &s) {
  const double side = std::sqrt(double(ctas * s.bm * s.bn));
  const double groups = std::round(double(rows * s.bm * s.clusterM) / side);
  return std::max(ceilDiv(rows, std::max(int64_t(groups), int64_t(1))), int64_t(1));
}

GemmShares GemmGrid::shares(const GemmShape &s) const {
  const auto [rows, columns] = tiles(s);
  const int64_t tiles = rows * columns / s.ctas(); // of clusters, which have shares then
  const int64_t ofTile = std::max<int64_t>(steps(), 1), all = tiles * ofTile;
  const int64_t clusters =
      std::clamp<int64_t>(ceilDiv(all, GemmCosts::streamedSteps), 1, arch.cores / s.ctas());
  const int64_t share = std::max<int64_t>(ceilDiv(all, clusters), 1); // there may be no tiles
  // A range of `share` that begins anywhere in a tile.
  const auto most = [](int64_t range, int64_t of) { return (range + of - 2) / of + 1; };
  return {clusters * s.ctas(), share, std::min(most(share, ofTile), tiles),
          std::min(most(ofTile, share), clusters)};
}

bool GemmGrid::persistent(const GemmShape &s) const {
  if (s.streamed)
    return true;
  if (swapped || copiesAhead(s)) // more stages than in a loop over tiles, which has to be proven
    return false;
  const auto [rows, columns] = tiles(s);
  return problem.groups || rows * columns * s.split > atOnce(s);
}

int64_t GemmGrid::stages(const GemmShape &s) const {
  const bool many = problem.groups || s.clusterM * s.clusterN > 1; // states
  // Copies end before the next begin: a third stage would only take room from the L1 cache.
  const int64_t most = s.streamed ? 4 : copiesAhead(s) ? 2 : !persistent(s) ? 12 : many ? 5 : 6;
  const int64_t bk = arch.lineBytes / byteSize(problem.type);
  return std::min(stagesBeside({s.bm, s.bn, bk, s.staging, s.split, problem.bByColumns},
                               problem.type, problem.out, arch),
                  most);
}

} // namespace sluice
