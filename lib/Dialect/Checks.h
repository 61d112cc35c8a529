// Checks that several verifiers share.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/BlockScales.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace sluice::ir {

std::string text(mlir::ArrayRef<int64_t> shape); // "128x64", "?x64"

/// No attribute that nobody reads. Those of the dialect's name its own hook sees.
mlir::LogicalResult verifyAttributes(mlir::Operation *op);
/// A constant index of a ring of `slots`; `index` may be null.
mlir::LogicalResult verifySlot(mlir::Operation *op, int64_t slots, mlir::Value index);
/// One offset per dimension, and the same element type unless the operation converts.
mlir::LogicalResult verifyBox(mlir::Operation *op, TensorType tensor, size_t offsets,
                              BufferType box, bool sameType);
/// One element of a tensor of i32.
mlir::LogicalResult verifyInteger(mlir::Operation *op, TensorType tensor, size_t offsets);
/// Inputs that broadcast to the outputs, which are alike, and a body of their elements.
mlir::LogicalResult verifyElementWise(mlir::Operation *op, mlir::ValueRange inputs,
                                      mlir::ValueRange outputs, bool coordinates,
                                      mlir::Block &body);
/// d[M,N] += a[M,K] b[K,N].
mlir::LogicalResult verifyProduct(mlir::Operation *op, BufferType d, BufferType a, BufferType b);
/// Of factors of this type of so many rows of a, or columns of b, whose blocks they scale.
mlir::FailureOr<FactorPieces> verifyFactorPieces(mlir::Operation *op, BufferType a,
                                                 mlir::Type factor, int64_t lines);

} // namespace sluice::ir
