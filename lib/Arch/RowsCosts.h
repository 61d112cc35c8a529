// What kernels along rows take on an NVIDIA machine, for lib/Plan: cycles of the core clock, and
// parts of the memory's rate. Every number has its source in RowsCosts.cpp.
#pragma once

namespace sluice {

struct Arch;

struct RowsCosts {
  // CTAs that stay, of the memory's rate: rows of warps, those of f32 that who computes stores,
  // rows that the warps of a CTA share; clusters that draw their rows, and two of them on the same
  // SMs.
  double byWarps = 0, byWarpsF32 = 0, byParts = 0, byDrawn = 0, byDrawnPairs = 0;
  double exchange = 0;        // of a fold across warps
  double clusterExchange = 0; // ... across CTAs
  double drawingAlone = 0;    // between draws of CTAs of which each draws its own
  // Rows of which nothing is stored: CTAs that stay, and two of them on an SM; 0: as others.
  double byReaders = 0, byReaderPairs = 0;
  bool alignedPairs = false; // two clusters on the same SMs win where rows are aligned, too

  // CTAs that take a few blocks.
  double drift = 0;         // of the memory's rate, for each doubling of the blocks
  double beginning = 0;     // from a CTA's launch to its first tile, and its end
  double computingTile = 0; // for each byte of a tile, of a CTA alone
  double loadingVector = 0; // of one that is held
  double exposedAlone = 0;  // of the shorter of moving and working, where an SM has one CTA
  double sharedAlone = 1;   // of the memory's rate, where warps share a row and a CTA has one
  double sharedRow = 0;     // of an SM, for each row that warps share: what each does for a row
  double beginningPieces = 0, loadingPieces = 0, shiftingPieces = 0; // of pieces of rows
};

const RowsCosts &rowsCostsOfH100();
const RowsCosts &rowsCostsOfH200();
/// Of a machine whose times nobody has fitted an H100's.
const RowsCosts &rowsCostsOf(const Arch &arch);

} // namespace sluice
