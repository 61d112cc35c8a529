// The dialect `sluice` for C++. Namespace sluice::ir; see docs/language.md for the operations.
#pragma once

#include "Program/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/Dialect.h.inc"
#include "Dialect/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Types.h.inc"

#define GET_OP_CLASSES
#include "Dialect/Ops.h.inc"

namespace sluice::ir {

/// Element type of the machine; nothing for types that no target has.
std::optional<DType> dtypeOf(mlir::Type type);
mlir::Type typeOf(DType type, mlir::MLIRContext *context);
std::optional<int64_t> byteSizeOf(BufferType buffer); // of one slot
/// From one slot to the next: in the unified buffer whole blocks, which copies write.
int64_t slotBytesOf(BufferType buffer);

} // namespace sluice::ir
