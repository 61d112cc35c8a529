#include "Plan/BlackwellGemm.h"

#include "Plan/BlackwellTime.h"
#include "Plan/GemmGrid.h"
#include "Program/BlockScales.h"
#include "Program/TensorMemory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sluice {
namespace {

constexpr int64_t fewSteps = 16; // below them writing C sets the order of the tiles
constexpr int64_t oneRow = 128;  // rows of the sum that four warps have, one a thread
/// Registers of a thread that a row of a sum finds (R19), where one role of four warps takes sums
/// out and where two do; fewer where a role of four warps copies.
constexpr int64_t registersOfRow = 224, registersOfTwoRows = 208;
constexpr int64_t registersBesideCopies = 160, registersOfTwoBesideCopies = 112;
/// Where a role of three warps stores what groups clip: registers are those of twelve warps then.
constexpr int64_t registersOfGroups = 160;

class BlackwellPlanner {
public:
  /// `swapped`: the problem is that of C^T.
  BlackwellPlanner(const GemmProblem &problem, const Arch &arch, bool swapped)
      : p_(problem), arch_(arch), swapped_(swapped), time_(p_, arch) {}

  Plan plan() {
    for (const int64_t bm : heights())
      for (int64_t bn = widest(); bn >= narrowest(); bn -= granule())
        consider(bm, bn);
    std::ranges::stable_sort(plan_.candidates, {}, &PlanCandidate::cycles);
    return std::move(plan_);
  }

private:
  /// Columns that tcgen05.mma of 128 rows takes (PTX ISA), and a row of B as it lies fills a
  /// swizzle with: 32 bytes. Factors come for 128.
  int64_t granule() const {
    constexpr int64_t columns = 16, narrowest = 32;
    if (p_.block && !hasAllColumns())
      return FactorPieces::lines;
    return p_.bByColumns ? columns : std::max(columns, narrowest / byteSize(p_.type));
  }

  /// Factors are of 128 rows (PTX ISA, tcgen05.mma: M of block-scaled kinds).
  std::vector<int64_t> heights() const {
    if (p_.block)
      return {FactorPieces::lines};
    std::vector<int64_t> all = {64};
    if (p_.M > 64)
      all.push_back(oneRow);
    if (p_.M > oneRow && !swapped_)
      all.push_back(2 * oneRow);
    return all;
  }

  /// Of C^T with factors one tile has all columns, where they are fewer than factors come for.
  bool hasAllColumns() const { return p_.block && swapped_ && p_.N < FactorPieces::lines; }
  int64_t narrowest() const { return hasAllColumns() ? widest() : granule(); }

  int64_t columnsOfPair() const { return p_.block ? granule() : 2 * granule(); }

  /// No wider than C.
  int64_t widest() const {
    constexpr int64_t most = 256;
    return std::clamp(ceilDiv(p_.N, granule()) * granule(), granule(), most);
  }

  void consider(int64_t bm, int64_t bn) {
    if (std::string reason = registersLack(bm, bn, p_.held); !reason.empty()) {
      plan_.rejected.push_back(
          {"bm=" + std::to_string(bm) + " bn=" + std::to_string(bn), std::move(reason)});
      return;
    }
    for (const int64_t staging : stagings()) {
      time({bm, bn, staging});
      if (p_.groups || swapped_ || copying())
        continue;
      time({bm, bn, staging, 2, 1});
      time({bm, bn, staging, 1, 2});
      if (bm == oneRow && bn % columnsOfPair() == 0)
        time({bm, bn, staging, 2, 1, true});
    }
    for (const int64_t split : {2, 4, 8})
      if (const BlackwellTile t{bm, bn, 1, 1, 1, false, split}; sharesSteps(t))
        time(t);
  }

  /// Where the tiles leave SMs idle, every CTA has a step and columns by the eight, and threads
  /// hold a row of the sum.
  bool sharesSteps(const BlackwellTile &t) const {
    return !p_.groups && !p_.drawn && p_.sums == 1 && time_.waves(t) == 1 &&
           t.split <= time_.steps() && t.bn % (8 * t.split) == 0 &&
           registersLack(t.bm, t.bn, true).empty();
  }

  /// All of C waits for TMA, or parts of it do. Rows that TMA does not store wait for nothing, nor
  /// do those of C^T, which threads store.
  std::vector<int64_t> stagings() const {
    if (p_.groups || swapped_ || !isStoredByTma(p_, swapped_))
      return {1};
    return {1, 2};
  }

  int64_t registersFor(int64_t bm) const {
    if (copying())
      return bm > oneRow ? registersOfTwoBesideCopies : registersBesideCopies;
    if (p_.groups && bm >= oneRow)
      return registersOfGroups;
    return bm > oneRow ? registersOfTwoRows : registersOfRow;
  }

  /// Threads take a row of a sum out at once (`held`), unless they convert it by 32 columns.
  std::string registersLack(int64_t bm, int64_t bn, bool held) const {
    constexpr int64_t part = 32;
    const bool byParts = !held && bn % part == 0;
    const int64_t room = registersFor(bm);
    if (byParts || bn <= room)
      return "";
    return "registers: " + std::to_string(bn) + " for a row of the sum; a thread has " +
           std::to_string(room) + " for it";
  }

  bool copying() const {
    return GemmGrid::byThreads(p_.rowBytesA) || GemmGrid::byThreads(p_.rowBytesB);
  }

  GemmTile shared(const BlackwellTile &t) const {
    const int64_t bk = arch_.lineBytes / byteSize(p_.type);
    const int64_t factors = time_.pieces(t) * FactorPieces::rows * FactorPieces::bytes;
    return {t.bm, t.bn, bk, t.staging, t.split, p_.bByColumns, t.pair, factors};
  }

  /// The proof of a loop over tiles follows every position of the ring: with more stages than these
  /// it takes seconds. Factors have as many slots, beside a sum.
  int64_t stages(const BlackwellTile &t) const {
    const bool many = p_.groups || t.ctas() > 1; // states
    const int64_t most = !time_.persistent(t) ? 12 : many ? 5 : 8;
    const int64_t fit = std::min(stagesBeside(shared(t), p_.type, p_.out, arch_), most);
    const int64_t ofFactors = time_.pieces(t) * FactorPieces::columns;
    return ofFactors ? std::min(fit, (TensorMemory::columns - t.bn) / ofFactors) : fit;
  }

  /// Of tensor memory.
  int64_t columns(const BlackwellTile &t) const {
    const int64_t sums = t.products() * t.bn * (time_.takesTurns(t) ? 2 : 1);
    const auto all = uint64_t(sums + time_.columnsOfFactors(t));
    return std::max<int64_t>(int64_t(std::bit_ceil(all)), 32);
  }

  void time(BlackwellTile t) {
    const int64_t row = t.bn * byteSize(p_.out);
    t.stages = stages(t);
    if (t.staging > 1 && t.staging >= row / partBytes(row))
      return; // as many slots as parts: the whole tile
    if (t.stages < 2) {
      if (t.ctas() == 1)
        plan_.rejected.push_back({settings(t), "shared memory: fewer than two stages fit into " +
                                                   std::to_string(arch_.sharedBytes) + " bytes"});
      return;
    }
    const BlackwellTime::Predicted predicted = time_.of(t);
    PlanCandidate c;
    c.settings = settings(t) + " stages=" + std::to_string(t.stages) + dealing(t);
    c.cycles = predicted.cycles;
    c.tensor = double(p_.M) * double(p_.N) * double(p_.K * byteSize(p_.type)) /
               (arch_.tensorPerCycle * arch_.cores);
    c.limit = predicted.limit;
    c.why = reason(t);
    plan_.candidates.push_back(std::move(c));
  }

  std::string settings(const BlackwellTile &t) const {
    const auto named = [](int64_t rows, int64_t columns) {
      return "bm=" + std::to_string(rows) + " bn=" + std::to_string(columns);
    };
    const std::string staging = p_.groups || swapped_ || !isStoredByTma(p_, swapped_)
                                    ? ""
                                    : " staging=" + std::to_string(t.staging);
    return (swapped_ ? named(t.bn, t.bm) + " swap=yes" : named(t.bm, t.bn)) + staging;
  }

  /// Rows of tiles taken together: one where most of the time goes into C.
  int64_t group(const BlackwellTile &t) const {
    if (time_.steps() <= fewSteps)
      return 1;
    return rowsOfSquare(time_.tiles(t).first / t.clusterM, time_.atOnce(t),
                        {t.bm, t.bn, t.staging, t.clusterM, t.clusterN});
  }

  std::string dealing(const BlackwellTile &t) const {
    std::string text;
    if (t.clusterM * t.clusterN > 1)
      text += " cluster=" + std::to_string(t.clusterM) + "x" + std::to_string(t.clusterN);
    if (t.split > 1)
      text += " split=" + std::to_string(t.split);
    if (t.pair)
      text += " pair=yes";
    if (!p_.groups && time_.persistent(t))
      text += " mode=persistent group=" + std::to_string(group(t));
    return text;
  }

  /// What a step has each engine do, and what tensor memory holds.
  std::string reason(const BlackwellTile &t) const {
    const auto cycles = [](double n) { return std::to_string(std::lround(n)); };
    const BlackwellTime::Step s = time_.step(t);
    const int64_t waves = time_.waves(t);
    return "a step: loads " + cycles(s.loads) + ", products " + cycles(s.products) + ", memory " +
           cycles(s.memory) + ", shared memory " + cycles(s.shared) + " cycles; " +
           std::to_string(columns(t)) + " columns" +
           (time_.takesTurns(t) ? ", two sums in turns" : "") + "; " +
           std::to_string(time_.active(t)) + " CTAs" +
           (waves > 1 ? ", tiles of each " + std::to_string(waves) : "");
  }

  const GemmProblem p_;
  const Arch &arch_;
  const bool swapped_;
  const BlackwellTime time_;
  Plan plan_;
};

} // namespace

Plan planBlackwellGemm(const GemmProblem &problem, const Arch &arch) {
  return planEitherWay(problem, [&](const GemmProblem &one, bool isSwapped) {
    return BlackwellPlanner(one, arch, isSwapped).plan();
  });
}

} // namespace sluice
