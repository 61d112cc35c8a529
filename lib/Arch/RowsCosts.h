// What kernels along rows take on an NVIDIA machine, for lib/Plan: cycles of the core clock, and
// parts of the memory's rate. Every number has its source in RowsCosts.cpp.
#pragma once

#include <cstdint>

namespace sluice {

struct Arch;

struct RowsCosts {
  // CTAs that stay, of the memory's rate: rows of warps, those of f32 that who computes stores,
  // rows that the warps of a CTA share; clusters that draw their rows, and two of them on the same
  // SMs, of rows that are aligned and that start anywhere.
  double byWarps = 0, byWarpsF32 = 0, byParts = 0, byDrawn = 0;
  double byDrawnPairs = 0, byDrawnPairsAnywhere = 0;
  double exchange = 0;        // of a fold across warps
  double clusterExchange = 0; // ... across CTAs
  double drawingAlone = 0;    // between draws of CTAs of which each draws its own
  // CTAs of which each has a row and draws it: of the memory's rate, 0: they take rows in turn; and
  // of that for each 16 KB that an SM has in flight, as more pages of memory are open then.
  double byDrawnRows = 0, inFlight = 0;
  double drawingRow = 0; // cycles between two draws of one
  double oneSlot = 0; // of the memory's rate less, where two beside each other have one slot each
  double shiftingRow = 0; // of an SM, for each column of a norm's part that starts anywhere
  // Of a cluster's row: for each byte that a vector is applied to, for each CTA that its exchange
  // goes to, and, of two clusters on the same SMs, for each cycle of shifting.
  double applyingVector = 0, sendingToCta = 0, shiftingBeside = 0;
  bool storesBesideSum = false; // clusters that add up one sum store as fast as a role does
  // Rows of which nothing is stored: CTAs that stay, and two of them on an SM; 0: as others.
  double byReaders = 0, byReaderPairs = 0;
  int64_t stagesOfReaders = 0; // of rows that a warp has; 0: as others
  bool alignedPairs = false;   // two clusters on the same SMs win where rows are aligned, too

  int64_t tilesOfTranspose = 2; // of a CTA whose tiles TMA stores

  // CTAs that take a few blocks.
  double drift = 0;         // of the memory's rate, for each doubling of the blocks
  double beginning = 0;     // from a CTA's launch to its first tile, and its end
  double computingTile = 0; // for each byte of a tile, of a CTA alone
  double loadingVector = 0; // of one that is held
  double exposedAlone = 0;  // of the shorter of moving and working, where an SM has one CTA
  double sharedAlone = 1;   // of the memory's rate, where warps share a row and a CTA has one
  double sharedRow = 0;     // of an SM, for each row that warps share: what each does for a row
  double beginningPieces = 0, loadingPieces = 0, shiftingPieces = 0; // of pieces of rows
  double shiftingBlock = 0; // of an SM, for eight rows' pieces that start anywhere
  // Of one that loads columns of several rows in a line, and for each vector.
  double beginningInLine = 0, loadingInLine = 0;
  // Threads that load to registers, of the memory's rate: rows, pieces of them, both of 4 bytes an
  // element; 0: unknown. How many times as long pieces beside vectors are computed with; and cycles
  // of an SM more for one of a line of several rows.
  double byThreads = 0, piecesByThreads = 0, byThreadsF32 = 0;
  double besideVectors = 1, pieceInLine = 0;
  // Of a CTA whose threads do; and of a fold across its warps, which all wait for the last.
  double beginningThreads = 0, exchangeThreads = 0;
  // Of a scheduler, for a row that a warp holds and folds, and for each of a lane's elements; how
  // many times as long where it comes from a ring. 0: unknown.
  double foldingRow = 0, foldingElement = 0, foldingFromRing = 1;
};

const RowsCosts &rowsCostsOfH100();
const RowsCosts &rowsCostsOfH200();
/// Of a machine whose times nobody has fitted an H100's.
const RowsCosts &rowsCostsOf(const Arch &arch);

} // namespace sluice
