// How a kernel along rows goes: who holds a row, and who stores it.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

namespace sluice {

/// Tensors of rows x columns, of which a CTA takes one block of rows after another.
struct RowsProblem {
  int64_t rows = 0, columns = 0;
  DType type = DType::bf16;
  int64_t inputs = 1, outputs = 1; // tensors of rows
  int64_t vectors = 0;             // of one row, the same for all
  int64_t folds = 1;               // of a row, each of which needs the one before
  bool shares = true;              // the warps of a CTA may share a row
  bool clusters = false;           // those of a cluster too
  int64_t stages = 4;
  int64_t ctas = 0;     // the most of a launch
  int64_t most = 8704;  // bytes of a row that a warp holds
  int64_t whole = 4096; // bytes of a part of a row that a warp holds
};

/// Settings `parts` and `staging`.
Plan planRows(const RowsProblem &problem, const Arch &arch);

} // namespace sluice
