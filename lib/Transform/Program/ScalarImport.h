// Scalars of a kernel: SSA values become numbers in the frame of an agent.
#pragma once

#include "Dialect/Dialect.h"
#include "Program/Program.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice {

class ScalarImport {
public:
  explicit ScalarImport(Program &program) : program_(program) {}

  /// The number of a value, new at first sight.
  ValueId id(mlir::Value value);
  /// Makes `alias` the same number as `value`.
  void alias(mlir::Value alias, mlir::Value value) { ids_[alias] = id(value); }
  void name(mlir::Value value, const std::string &text);
  ValueId fresh();
  /// Constants are folded into the index.
  Index index(mlir::Value value);
  /// The scalar operation that `op` is; nothing if it is no scalar.
  std::optional<Scalar> import(mlir::Operation &op,
                               const llvm::DenseMap<mlir::Value, int> &tensors);
  /// Whether `op` only renames its operand (index_cast, uniform ...); then it is aliased.
  bool importAlias(mlir::Operation &op);

private:
  Program &program_;
  llvm::DenseMap<mlir::Value, ValueId> ids_;
};

/// Where an operation was written.
Location locationOf(mlir::Location loc);

} // namespace sluice
