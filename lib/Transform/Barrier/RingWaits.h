// Where one side of a ring looks for what the other has signalled: the slot under a cursor and the
// parity of its barrier.
#pragma once

#include "Dialect/Dialect.h"
#include "Transform/Barrier/Ends.h"

namespace sluice {

mlir::Value slotOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor);
ir::Exec execOf(Lanes lanes);

/// The other side of a ring has signalled the slot under `cursor`; with the token of a test, where
/// that has not been told so.
void waitFor(mlir::OpBuilder &b, mlir::Location loc, ir::MbarrierAllocOp barriers,
             mlir::Value cursor, const Part &part, mlir::Value token = {});
/// Whether it has, without waiting: a token.
mlir::Value testFor(mlir::OpBuilder &b, mlir::Location loc, ir::MbarrierAllocOp barriers,
                    mlir::Value cursor, const Part &part);

} // namespace sluice
