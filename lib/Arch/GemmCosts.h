// What the steps and tiles of a GEMM take on an NVIDIA machine, for lib/Plan: cycles of the core
// clock. Every number has its source in GemmCosts.cpp.
#pragma once

#include <cstdint>

namespace sluice {

struct GemmCosts {
  // A step along K.
  double product = 0, productColumn = 0; // an m64nN among others: product + N productColumn
  double aloneStep = 0;                  // more, of a single warpgroup: nothing runs while it waits
  double clusterStep = 0;                // more, in a cluster
  double loadLatency = 0;        // from a slot's release to its next tile, while all CTAs load
  double loadBytesPerCycle = 0;  // of an SM, rows that start with a line of the cache
  double apartBytesPerCycle = 0; // rows elsewhere
  double box = 0;                // of a load: one thread issues them all
  double copyBytesPerCycle = 0;  // by the warps that compute, of all CTAs of an SM
  double copyBatch = 0;          // a wait for four pieces of 16 bytes of every lane
  double coldCopyBatch = 0;      // ... of the only CTA that an SM runs
  double aloneCopyBatch = 0;     // ... of a single warpgroup
  double zeroRow = 0;            // of a load: 128 bytes beyond the tensor, written all the same

  // A tile of C; stores of 64 KB.
  double tile = 0;                  // first full slot, accumulators to numbers
  double nextTile = 0;              // of a loop over tiles whose results a role of its own stores
  double store = 0;                 // by the warps that computed it, through shared memory
  double copy = 0;                  // of these before a role of its own stores the rest
  double part = 0;                  // a part that waits for the store before it
  double partShare = 0;             // of `store`: in parts, each copied under the store before
  double brokenLine = 0;            // more, of rows that end within a line: two tiles write it
  double brokenSector = 0;          // ... within a sector
  double exchange = 0;              // more, of CTAs that share steps: they start and end together
  double exchangeBytesPerCycle = 0; // of the sums that each sends the others
  double turnBytesPerCycle = 0; // of stream-K: sums of a tile that a CTA takes over and hands on
  int64_t coresOfClusters = 0;  // SMs that clusters of four or eight find
  double start = 0;             // of a launch behind another: first load, last store

  static constexpr int64_t storeBytes = 65536; // that the stores above are of
  /// Steps along K that no CTA of stream-K takes fewer of, where there are so many.
  static constexpr int64_t streamedSteps = 16;
};

const GemmCosts &hopperGemmCosts();

} // namespace sluice
