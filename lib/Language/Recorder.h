// Writes down the kernel that a KernelBuilder describes, and its author's mistakes.
#pragma once

#include "Dialect/Marks.h"
#include "Language/KernelState.h"
#include "Language/Roles.h"
#include "Support/Result.h"
#include "sluice/KernelBuilder.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <set>

namespace sluice::lang::detail {

/// A name in small letters.
std::string lowered(std::string name);

class Recorder {
public:
  Recorder(const std::string &name, SourceLocation at);

  // ---- Mistakes
  // -----------------------------------------------------------------------------------
  void fail(SourceLocation at, std::string message);
  /// At the line of a statement.
  void fail(mlir::Operation *at, std::string message);
  /// Whether a statement may stand here: not after build(), not inside an element function.
  bool open(SourceLocation at);

  // ---- Values
  // -------------------------------------------------------------------------------------
  /// The value behind a handle; null, with the mistake recorded, where it cannot be used here.
  mlir::Value use(const Handle &handle, SourceLocation at);
  /// The same of all slots of a buffer.
  mlir::Value useRing(const Handle &handle, SourceLocation at);
  mlir::Value use(const Index &index, SourceLocation at);
  mlir::Value use(const Condition &condition, SourceLocation at);
  mlir::Value use(const Box &box, SourceLocation at);    // its tensor, clipped as it is
  mlir::Value use(const ElementAt &element, DType type); // converted to `type`
  /// False if one of them is null.
  bool use(const std::vector<Index> &indices, SourceLocation at,
           llvm::SmallVectorImpl<mlir::Value> &values);
  Handle handleOf(mlir::Value value) { return {this, value.getAsOpaquePointer()}; }
  /// Stands for the result of a statement with a mistake.
  Handle poison() { return {this, nullptr}; }
  std::string describe(mlir::Value value);
  std::string nameOf(const Tile &tile, const char *otherwise);

  // ---- Writing
  // ------------------------------------------------------------------------------------
  mlir::Location at(SourceLocation at);
  mlir::Type type(DType type) { return typeOf(type, &*context_); }
  mlir::Value constant(int64_t value);
  mlir::Value dim(mlir::Value tensor, int dimension, SourceLocation at);
  /// `name`, or with a number behind it, for a buffer or value.
  std::string unique(const std::string &name);
  /// Declares a buffer; null, with the mistake recorded, for shapes that no chip can hold.
  mlir::Value buffer(DType type, Shape shape, int minor, const std::string &name,
                     const std::string &otherwise, SourceLocation at);
  /// Appends an argument of the kernel.
  mlir::Value argument(mlir::Type type, const std::string &name, const char *access,
                       SourceLocation at);
  /// An attribute of such an argument.
  template <typename Value>
  void mark(mlir::Value argument, const ir::Mark<Value> &mark, Value value) {
    setAttribute(argument, mark.name, value);
  }
  /// Whether `name` can be a name in printed code; a mistake otherwise.
  bool checkName(const std::string &name, const char *what, SourceLocation at);
  bool inKernelBlock();
  ir::KernelOp kernel() { return kernel_; }

  Result<Kernel> finish(SourceLocation at);

  mlir::OpBuilder builder;
  std::vector<Error> errors;
  std::set<const void *> named; // values that the author has named
  bool inElementFunction = false;
  FastMath fastMath; // of element functions
  bool hasGrid = false, hasPairs = false, hasScalarArguments = false;
  /// Of a grid whose tiles the author's next loop goes through, each of which is drawn.
  std::optional<SourceLocation> drawsTiles;
  Roles roles;

private:
  /// An empty kernel, at whose end the builder stands.
  void start(const std::string &name, mlir::Location at);
  /// At the top of the kernel, behind what was put there before.
  template <typename F> mlir::Value hoist(F &&create);

  std::shared_ptr<mlir::MLIRContext> context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  ir::KernelOp kernel_;
  llvm::SmallVector<mlir::Attribute> argumentAttributes_;
  mlir::Operation *lastHoisted_ = nullptr;
  std::map<int64_t, mlir::Value> constants_;
  std::map<std::pair<const void *, int>, mlir::Value> dims_;
  std::set<std::string> names_, argumentNames_;
  bool finished_ = false;

  static mlir::Type typeOf(DType type, mlir::MLIRContext *context);
  void setAttribute(mlir::Value argument, llvm::StringRef name, mlir::Attribute value);
};

} // namespace sluice::lang::detail
