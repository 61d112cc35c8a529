// How long a GEMM on Blackwell takes, as the virtual machine has it (lib/Simulate): what a step
// along K, a line of the cache deep, asks of each engine of an SM, and what stands around the steps
// of a tile. Every number is the machine's (lib/Arch); nothing is fitted.
#pragma once

#include "Plan/GemmPlan.h"

namespace sluice {

/// A tile of C of one CTA, and the slots of its ring. Both CTAs of a pair multiply by all of its
/// columns, of which each loads one half; `split` CTAs share its steps, and finish as many columns
/// each.
struct BlackwellTile {
  int64_t bm, bn, staging, clusterM = 1, clusterN = 1;
  bool pair = false;
  int64_t split = 1;
  int64_t stages = 0;

  int64_t ctas() const { return clusterM * clusterN * split; } // of a cluster
  int64_t columnsOfB() const { return pair ? bn / 2 : bn; }    // in the CTA's shared memory
  int64_t products() const { return bm > 128 ? 2 : 1; }        // of 64 or 128 rows, with a sum each
};

class BlackwellTime {
public:
  BlackwellTime(const GemmProblem &problem, const Arch &arch) : p_(problem), arch_(arch) {}

  /// Along K; those of a CTA.
  int64_t steps() const;
  int64_t steps(const BlackwellTile &t) const;
  /// Tiles in each direction, whole clusters of them; of groups as GemmGrid::tiles.
  std::pair<int64_t, int64_t> tiles(const BlackwellTile &t) const;
  /// CTAs, in whole clusters, that the SMs run at a time.
  int64_t atOnce(const BlackwellTile &t) const { return arch_.cores / t.ctas() * t.ctas(); }
  bool persistent(const BlackwellTile &t) const;
  int64_t waves(const BlackwellTile &t) const;
  /// CTAs that work at a time: a grid that is persistent has no more than take as many waves.
  int64_t active(const BlackwellTile &t) const;
  /// Pieces of 128 lines and four blocks in which a step's factors come (Program/BlockScales.h); of
  /// a pair to each CTA those of its rows and of all columns. None without factors.
  int64_t pieces(const BlackwellTile &t) const;
  /// Columns of tensor memory that factors take, in as many slots as the ring has.
  int64_t columnsOfFactors(const BlackwellTile &t) const;
  /// Sums that take turns in tensor memory, so that one is stored under the products of the next.
  bool takesTurns(const BlackwellTile &t) const;

  /// Cycles in which a step has each engine at work, and, for one slot of the ring, all that lies
  /// between a slot's release and its next one.
  struct Step {
    double loads = 0, memory = 0, products = 0, shared = 0, issue = 0, round = 0;
  };
  Step step(const BlackwellTile &t) const;

  struct Predicted {
    double cycles, step;
    const char *limit; // what a step waits for
  };
  Predicted of(const BlackwellTile &t) const;

private:
  double rate(double ofAll, double alone, double active) const;
  double loading(const BlackwellTile &t, double bytes, int64_t rowBytes) const;
  int64_t boxes(const BlackwellTile &t) const;
  double bytesOfFactors(const BlackwellTile &t) const;
  int64_t copies(const BlackwellTile &t) const; // of factors to tensor memory that a step waits for
  /// Of the thread that loads, and of the one that copies factors and multiplies.
  double issue(const BlackwellTile &t) const;
  /// The part of what CTAs load of a matrix that comes from memory; the rest hits L2.
  double missesOfA(const BlackwellTile &t) const;
  double missesOfB(const BlackwellTile &t) const;
  /// From a load's issue to its tile: CTAs of a row of tiles wait for the one that misses.
  double loadLatency(const BlackwellTile &t) const;
  /// From the first product's end to the registers, and on to shared memory.
  double takeOut(const BlackwellTile &t) const;
  /// Each CTA sends all, itself too, the sums of their columns, and adds up its own.
  double exchange(const BlackwellTile &t) const;
  double store(const BlackwellTile &t) const;
  int64_t bytesOfC(const BlackwellTile &t) const { // that a CTA finishes
    return t.bm * t.bn / t.split * byteSize(p_.out);
  }

  const GemmProblem p_;
  const Arch &arch_;
};

} // namespace sluice
