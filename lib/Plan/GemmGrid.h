// The tiles of a GEMM on a Hopper GPU: what of an SM one takes, and how many run at once.
#pragma once

#include "Plan/GemmPlan.h"

#include <string>
#include <utility>

namespace sluice {

constexpr int64_t sumBytes = 4; // f32 or s32

inline int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/// Bytes of a row of C that are staged at once: the widest swizzle that divides it, or an odd
/// multiple of 16 (PlaceHopper).
int64_t partBytes(int64_t row);

/// A tile of C, how C is staged, and the CTAs of a cluster: side by side, or sharing steps.
struct GemmShape {
  int64_t bm, bn, staging, clusterM, clusterN, split = 1;
  bool streamed = false; // the steps of all tiles in equal shares

  int64_t ctas() const { return clusterM * clusterN * split; } // of a cluster
  int64_t columns() const { return bn / split; }               // of C that a CTA finishes

  /// As the lowering chooses them: two blocks of rows each where four would lack registers.
  int64_t warpgroups() const { return bm == 256 && bn > 128 ? 2 : bm / 64; }
  int64_t accumulators() const { return bm * bn / (128 * warpgroups()); } // of a thread
  std::string text() const { return "bm=" + std::to_string(bm) + " bn=" + std::to_string(bn); }
};

/// What CTAs have of stream-K (Transform/Tile/StreamSteps).
struct GemmShares {
  int64_t ctas;
  int64_t steps; // of each
  int64_t tiles; // that one has steps of, at most
  int64_t ofOne; // CTAs that have steps of one tile, at most
};

/// Rows of tiles, or of clusters of tiles, that a loop over `rows` of them takes together: `ctas`
/// CTAs then compute about a square of C at a time, which has the least of A and B.
int64_t rowsOfSquare(int64_t rows, int64_t ctas, const GemmShape &s);

struct GemmGrid {
  /// `swapped`: the problem is that of C^T.
  GemmGrid(const GemmProblem &problem, const Arch &arch, bool swapped)
      : problem(problem), arch(arch), swapped(swapped) {}

  const GemmProblem problem;
  const Arch &arch;
  const bool swapped;

  /// Along K.
  int64_t steps() const;

  /// What TMA cannot load threads copy: rows that do not start at multiples of 16 bytes.
  static bool byThreads(int64_t rowBytes) { return rowBytes % 16 != 0; }
  bool copying() const;
  /// Whether the warps that compute copy too (mode=pipelined): there are more of them than a role
  /// that loads has.
  bool copiesAhead(const GemmShape &s) const;

  /// CTAs that an SM holds: several where the warps that compute copy too, as each then waits for
  /// what it copies.
  int64_t residents(const GemmShape &s) const;
  /// Accumulators of a thread beside what else it needs, and what one instruction needs.
  std::string registersLack(const GemmShape &s) const;

  /// Tiles in each direction, whole clusters of them. Groups are numbered as if each but the last
  /// had one row of tiles more than whole ones.
  std::pair<int64_t, int64_t> tiles(const GemmShape &s) const;
  /// CTAs. A cluster lies within a GPC: beyond pairs some SMs stay idle.
  int64_t atOnce(const GemmShape &s) const;
  bool persistent(const GemmShape &s) const;
  GemmShares shares(const GemmShape &s) const;
  /// The proof of a loop over tiles follows every position of the ring: with more stages than these
  /// it takes seconds, or gives up.
  int64_t stages(const GemmShape &s) const;
};

} // namespace sluice
