#include "Arch/RowsCosts.h"

#include "Arch/Arch.h"

namespace sluice {

/// Fits to times of an H100 (bench/RESULTS.md, "Along rows"; bench/ROWS.md).
const RowsCosts &rowsCostsOfH100() {
  static const RowsCosts costs = [] {
    RowsCosts c;
    c.byWarps = 0.95, c.byWarpsF32 = 0.91, c.byParts = 0.97;
    c.byDrawn = 0.98, c.byDrawnPairs = 0.93, c.byDrawnPairsAnywhere = 0.93;
    c.exchange = 150, c.clusterExchange = 900;
    c.drawingAlone = 3300;
    c.drift = 0.0075;
    c.beginning = 3760;
    c.computingTile = 0.12;
    c.loadingVector = 600;
    c.beginningPieces = 1350, c.loadingPieces = 100, c.shiftingPieces = 3500;
    // An H200's: bias_gelu of f16, 17264 x 1069 by shares of 1, 2, 4 lines 31.9, 28.3, 27.7 us, by
    // rows 39.7 (of which 32 were counted without shiftingBlock).
    c.beginningInLine = 700, c.loadingInLine = 650, c.shiftingBlock = 450;
    return c;
  }();
  return costs;
}

/// Fits to times of an H200 (bench/ROWS.md, "An H200's own costs").
const RowsCosts &rowsCostsOfH200() {
  static const RowsCosts costs = [] {
    RowsCosts c = rowsCostsOfH100();
    c.byWarps = 0.876, c.byWarpsF32 = 0.84, c.byParts = 0.925;
    c.byDrawn = 0.935, c.byDrawnPairs = 0.938, c.byDrawnPairsAnywhere = 0.87;
    // layernorm 8192 x 16384, a CTA of 2, 3, 4 stages on an SM: 132.2, 134.9, 136.2 us; two of one
    // stage 135.7. 16384 x 8192, three of 1, 2 stages: 133.4, 134.4; 32768 x 4096, four of 2:
    // 135.5.
    c.byDrawnRows = 0.955, c.inFlight = 0.0042, c.drawingRow = 3000, c.oneSlot = 0.014;
    c.shiftingRow = 2.2; // layernorm 16384 x 5001 107.8 us, 8192 x 12001 101.7, rmsnorm 84.6, 99.0
    // layernorm 1024 x 131072, one cluster of eight on an SM, 144.1 us, rmsnorm 133.6, layernorm
    // over clusters of four 133; 1342 x 100003 by two of eight 185.6, rmsnorm 140.8.
    c.applyingVector = 0.0094, c.sendingToCta = 77, c.shiftingBeside = 0.52;
    c.storesBesideSum = true; // rmsnorm_backward 8192 x 16384: 204 us for 214
    c.byReaders = 0.82, c.byReaderPairs = 0.89;
    // cross_entropy 32768 x 4096: 74.0 us for 76.1, 4096 x 32768 in pieces 69.4 for 71.6
    c.stagesOfReaders = 2;
    c.alignedPairs = true;
    c.tilesOfTranspose = 1; // 22904 x 1848 49.4 us, by two 56.6
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
    // softmax 131072 x 1024 129.0 us, 65536 x 2048 128.4, copy 32768 x 4096 126.1; f32 129.9.
    // 252054 x 296 of f16: softmax 83.1 (from a ring 115.4), rmsnorm 77.2 (88.1), log_softmax 95.3
    // (135.2).
    c.byThreads = c.piecesByThreads = 1, c.byThreadsF32 = 0.965, c.beginningThreads = 1400;
    // sluice.fuse, 16384 x 4096: log_softmax of two exchanges 85.3 us, by a ring 67.8.
    c.exchangeThreads = 2000;
    // bias_gelu 24969 x 3088 of f16 99.1 us, scale_bias_relu 78.9; in lines 17264 x
    // 1069 26.7, 24.4.
    c.besideVectors = 1.35, c.pieceInLine = 180;
    c.foldingRow = 130, c.foldingElement = 12, c.foldingFromRing = 1.3;
    return c;
  }();
  return costs;
}

const RowsCosts &rowsCostsOf(const Arch &arch) {
  return arch.rows ? *arch.rows : rowsCostsOfH100();
}

} // namespace sluice
