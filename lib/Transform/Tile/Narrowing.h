// Tile level: what stands behind a loop whose sums several share, on a block of the rows or columns
// of the sums.
#pragma once

#include "Transform/Tiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

class Narrowing {
public:
  /// Behind `loop` the one at `place` of `blocks` finishes its block along `dimension`, 0 (rows) or
  /// 1 (columns), of the sums. `whose`: "CTA", for diagnostics.
  Narrowing(mlir::scf::ForOp loop, mlir::Value place, int64_t blocks, int dimension,
            std::string whose)
      : loop_(loop), place_(place), blocks_(blocks), dimension_(dimension),
        whose_(std::move(whose)) {}

  /// A tile for the block of the sums in `tile`.
  ir::AllocOp blockOf(mlir::OpBuilder &b, ir::AllocOp tile);
  /// Every reader of `tile` behind the loop, but for who adds up a cluster's, shall read its block.
  void readInstead(ir::AllocOp tile, ir::AllocOp sum);
  /// `tile` has become narrow; so does what is computed with it. Fails with a diagnostic where that
  /// cannot be done block by block.
  mlir::LogicalResult follow(ir::AllocOp tile);
  /// All that is stored beside the loop is of the sums: anything else each of them would store.
  mlir::LogicalResult verifyStores() const;

private:
  mlir::LogicalResult operation(mlir::Operation *op, int64_t block);
  mlir::LogicalResult move(mlir::Operation *op, mlir::MutableOperandRange offsets, int64_t block,
                           bool turned);
  mlir::LogicalResult narrow(mlir::Value operand, int64_t block);
  mlir::LogicalResult refuse(mlir::Operation *op) const;

  mutable mlir::scf::ForOp loop_;
  mlir::Value place_;
  int64_t blocks_;
  int dimension_;
  std::string whose_;
  llvm::SmallPtrSet<mlir::Operation *, 8> narrow_;   // tiles
  llvm::SmallPtrSet<mlir::Operation *, 8> followed_; // what works on them
};

} // namespace sluice
