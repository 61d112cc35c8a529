// How long a GEMM on Hopper takes. The model is of whole steps along K, a line of the cache deep;
// their costs are the machine's (Arch/GemmCosts.h). An instruction multiplies as many bytes of any
// type, so that steps of all types are taken to cost the same.
#pragma once

#include "Plan/GemmGrid.h"

namespace sluice {

class GemmTime {
public:
  explicit GemmTime(const GemmGrid &grid);

  struct Predicted {
    double cycles;
    const char *limit; // what a step waits for: products, loads, latency, memory
  };
  Predicted of(const GemmShape &s) const;

private:
  using Step = std::pair<double, const char *>; // cycles, and what they come from

  Predicted ofStream(const GemmShape &s) const;

  /// SMs that load: where they are few, each gets more of what the second-level cache gives.
  double loading(const GemmShape &s) const;
  /// Rate of one operand, in bytes per cycle. `tileBytes`: of a row of its tile, in memory.
  double rate(const GemmShape &s, int64_t rowBytes, int64_t tileBytes) const;
  /// The rows of a row-major B's tile, up to the next line where no swizzle divides them: each of
  /// its boxes is a swizzle wide. The others are a line wide.
  int64_t boxes(int64_t rowOfB) const;
  /// What tiles have beyond all of A and B takes its time, while nothing comes from memory.
  double zeros(const GemmShape &s) const;
  /// Four pieces of 16 bytes of a lane are under way at a time (device/sluice/copy.cuh): so many
  /// times a warp waits for its share of a tile, of `lines` of `bytes`.
  static int64_t batches(const GemmShape &s, int64_t lines, int64_t bytes);
  /// Cycles until what the warps that compute copy for a step is there: none of them goes on.
  double copyLatency(const GemmShape &s) const;
  /// Cycles of a step for C of the tile before, on the same way to the second-level cache.
  double storedBeside(const GemmShape &s) const;
  /// Cycles of a step of `ctas` on an SM, and what they come from.
  Step step(const GemmShape &s, double ctas) const;
  /// Cycles of a step of each wave.
  Step stepOfAllWaves(const GemmShape &s, int64_t ctas) const;
  /// Beside its steps. C staged whole in a loop over tiles is stored under the next tile's
  /// products.
  double tile(const GemmShape &s, bool persistent) const;
  /// Each CTA sends all others the sums of their columns.
  double exchange(const GemmShape &s) const;
  double tileInLines(const GemmShape &s, bool persistent, double size) const;

  const GemmGrid &grid_;
  const GemmProblem &p_;
  const Arch &arch_;
  const GemmCosts &cost_;
};

} // namespace sluice
