#include "Arch/RowsCosts.h"

#include "Arch/Arch.h"

namespace sluice {

/// Fits to times of an H100 (bench/RESULTS.md, "Along rows"; bench/ROWS.md).
const RowsCosts &rowsCostsOfH100() {
  static const RowsCosts costs = [] {
    RowsCosts c;
    c.byWarps = 0.95, c.byWarpsF32 = 0.91, c.byParts = 0.97;
    c.byDrawn = 0.98, c.byDrawnPairs = 0.93;
    c.exchange = 150, c.clusterExchange = 900;
    c.drawingAlone = 3300;
    c.drift = 0.0075;
    c.beginning = 3760;
    c.computingTile = 0.12;
    c.loadingVector = 600;
    c.beginningPieces = 1350, c.loadingPieces = 100, c.shiftingPieces = 3500;
    return c;
  }();
  return costs;
}

/// Fits to times of an H200 (bench/ROWS.md, "An H200's own costs").
const RowsCosts &rowsCostsOfH200() {
  static const RowsCosts costs = [] {
    RowsCosts c = rowsCostsOfH100();
    c.byWarps = 0.876, c.byWarpsF32 = 0.84, c.byParts = 0.925;
    c.byDrawn = 0.96, c.byDrawnPairs = 0.965; // unaligned pairs: 0.93 and less
    c.byReaders = 0.82, c.byReaderPairs = 0.89;
    c.alignedPairs = true;
    c.exchange = 160;
    c.drawingAlone = 6000; // cross_entropy 32768 x 4096: drawn 87 us, in turn 76
    c.drift = 0.0275;
    c.beginning = 1500;
    c.computingTile = 0.101;
    c.loadingVector = 930;
    c.exposedAlone = 0.02; // softmax 32768 x 4096, two blocks of four rows: 168 us
    c.sharedAlone = 0.9;
    c.sharedRow = 440;
    c.beginningPieces = 730;
    return c;
  }();
  return costs;
}

const RowsCosts &rowsCostsOf(const Arch &arch) {
  return arch.rows ? *arch.rows : rowsCostsOfH100();
}

} // namespace sluice
