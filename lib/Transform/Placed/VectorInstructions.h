// Ascend, placed level: what one instruction of the vector cores computes. A function of elements
// becomes a row of them, with tiles of scratch between.
#pragma once

#include "Transform/Tiles.h"

#include <functional>
#include <map>
#include <vector>

namespace sluice {

/// Rows that are moved together where one number of each row is spread over 32 bytes (Brcb).
constexpr int64_t spreadRows = 8;
/// f32 numbers of an instruction's repeat, 256 bytes: what is folded at once.
constexpr int64_t foldedColumns = 64;
/// Rows that a call folds, at most 255 (R50) and whole blocks of results.
constexpr int64_t foldedRows = 248;

/// Tiles in the unified buffer that the vector pipe alone touches. They are declared in front of
/// everything, so that they have one slot, and are used again.
class Scratch {
public:
  /// `wholeFolds`: folds take as much as what they fold, which functions may take, too.
  explicit Scratch(ir::KernelOp kernel, bool wholeFolds = false)
      : kernel_(kernel), wholeFolds_(wholeFolds) {}
  bool wholeFolds() const { return wholeFolds_; }
  /// A view of a tile of this shape. Where rows are spread there is room for whole groups of them.
  mlir::Value take(int64_t rows, int64_t columns, mlir::Type element);
  void give(mlir::Value view) { free_.push_back(view); }
  /// 0, 1 ... as i32 in one row: computed once, in front of everything.
  mlir::Value columnNumbers(int64_t columns);

private:
  ir::KernelOp kernel_;
  const bool wholeFolds_;
  std::vector<mlir::Value> free_;
  std::map<int64_t, mlir::Value> columnNumbers_;
  int taken_ = 0;
};

using ElementBody = std::function<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

/// One instruction: out = body(ins), with the element's coordinates behind them where asked for.
void createInstruction(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange ins,
                       mlir::Value out, const ElementBody &body, bool coordinates = false);
/// out = in, which may be of another type, or one number a row that is spread.
void createMove(mlir::OpBuilder &b, mlir::Location loc, mlir::Value in, mlir::Value out);
/// In place: what lies in columns from `limit` (of row r: limit + r, where `slopes`) on is `value`.
void fillColumnsFrom(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, mlir::Value limit,
                     bool slopes, double value);
/// The same of rows.
void fillRowsFrom(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, mlir::Value limit,
                  double value);

} // namespace sluice
