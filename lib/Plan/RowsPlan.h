// How a kernel along rows goes: who holds a row, and who stores it.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

namespace sluice {

/// Tensors of rows x columns, of which a CTA takes one block of rows after another.
struct RowsProblem {
  int64_t rows = 0, columns = 0, pad = 0; // pad: elements between rows
  DType type = DType::bf16;
  int64_t inputs = 1, outputs = 1; // tensors of rows
  int64_t vectors = 0;             // of one row, the same for all
  int64_t folds = 1;               // of a row, each of which needs the one before
  bool shares = true;              // the warps of a CTA may share a row
  bool clusters = false;           // those of a cluster too
  int64_t sums = 0; // tensors of sums over rows, in f32: added up beside rows that are held
  int64_t stages = 4;
  int64_t ctas = 0;     // the most of a launch
  int64_t most = 0;     // bytes of a row that a warp holds
  int64_t whole = 4096; // bytes of a part of a row that a warp holds
};

/// Columns that the lanes of a warp take, 8 each.
constexpr int64_t columnsOfWarp = 256;
/// Of a piece of a row of so many columns, at most `most`: the most of which a row of pieces has
/// hardly more columns beyond the tensor's than the least that would do.
int64_t columnsOfPiece(int64_t columns, int64_t most);

/// Rows of a tile where a warp has each: eight, four where these leave no room for the stages. Of
/// rows that are read and not stored memory moves twice as many in the same time: sixteen of those
/// of at most 4096 bytes, if there is room, two for each of eight warps.
int64_t rowsOfTile(int64_t rowBytes, int64_t inputs, int64_t stages, bool stored = true);

/// Settings `parts` and `staging`; no candidates where sums have no registers.
Plan planRows(const RowsProblem &problem, const Arch &arch);

} // namespace sluice
