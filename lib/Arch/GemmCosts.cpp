#include "Arch/GemmCosts.h"

namespace sluice {

/// Fits to times of 16-bit GEMMs on an H200 (bench/GEMM.md, "Where the cycles go"), where no other
/// source stands. The H100's GEMMs take as long by the cycle: 281,595 at 4096^3, against 279,361
/// (bench/RESULTS.md, "Predicted").
static GemmCosts fits() {
  GemmCosts c;
  c.product = 4; // 135 at n = 256; the data sheet says 128, and clocks under the power limit 132
  c.productColumn = 0.51;
  c.aloneStep = 44;   // 64 x 2048 x 8192 in 64 x 64 tiles of twelve stages: 190
  c.clusterStep = 18; // releases go to the other CTA too
  c.loadLatency = 1890;
  c.loadBytesPerCycle = 48;  // micro: 45 to 55 where SMs read the same
  c.apartBytesPerCycle = 31; // lines are fetched twice
  c.box = 115; // 2048 x 11008 with n = 240, 16 boxes of a step: 2000; eight at n = 224: 926
  // "Rows that TMA does not take": 4095^3, 2049^3 and 4096 x 4096 x 4090 in 128 x 128, 192 x 192
  // and 256 x 128 tiles, within 25 %; 64 x 4095 x 4095 in 64 x 64 tiles.
  c.copyBytesPerCycle = 14;
  c.copyBatch = 1000;
  c.coldCopyBatch = 2000; // 2049^3 in 192 x 192 tiles, 1001^3 in 128 x 64 and 128 x 128
  c.aloneCopyBatch = 3000;
  c.zeroRow = 2.5; // 64 rows of which 8, 16, 32 are there, K = 4096 and 8192: 2.0 to 3.2
  c.tile = 900;    // 600 to the first full slot, 300 to convert
  c.nextTile = 300;
  c.store = 1430; // 128 x 256 elements
  c.copy = 300;
  c.part = 300;
  c.partShare = 0.6;
  c.brokenLine = 1800;
  c.brokenSector = 3800;
  c.exchange = 500;
  c.exchangeBytesPerCycle = 3.5; // st.async; 64 x N x 8192, split in 2, 4 and 8: within 20 %
  // 256 x 256 x 65536 in 128 x 256 tiles on an H100: 66 CTAs add to each, one after the other, in
  // about 15 times the 55,000 cycles of the settings that were planned.
  c.turnBytesPerCycle = 10.4;
  c.coresOfClusters =
      120; // 30 clusters of four or 15 of eight run at once, one more takes two waves
  c.start = 1600;
  return c;
}

const GemmCosts &hopperGemmCosts() {
  static const GemmCosts costs = fits();
  return costs;
}

} // namespace sluice
