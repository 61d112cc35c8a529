// Building a Program out of a kernel in the allocated phase: ToProgram.cpp has objects, operands
// and control, ImportOperations.cpp and ImportTensorMemory.cpp the operations that agents execute,
// ImportAssumption.cpp what a launch must keep.
#pragma once

#include "Support/Result.h"
#include "Transform/Program/ScalarImport.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Builds one Program; the first failure stays in error_ and ends the walk.
class Importer {
public:
  explicit Importer(ir::KernelOp kernel) : kernel_(kernel) {}
  Result<Program> run();

private:
  void importArguments();
  void importInPlace(mlir::BlockArgument output);
  void importAlloc(ir::AllocOp op);
  void importMbarriers(ir::MbarrierAllocOp op);
  void importAssumption(ir::AssumeOp op);
  void importStep(mlir::scf::ForOp op);
  void importGrid(ir::GridOp op, Block &into);
  void takeAsPositive(mlir::Value value);
  void findAssumed();
  void noteInteger(mlir::Operation &op);
  void checkIntegers();

  Block importBlock(mlir::Block &block);
  void importOp(mlir::Operation &op, Block &into);
  void importFor(mlir::scf::ForOp op, Block &into);
  void importIf(mlir::scf::IfOp op, Block &into);
  void importWhile(mlir::scf::WhileOp op, Block &into);
  ValueId constant(mlir::Operation &op, int64_t value, Block &into);
  ValueId anyValue(mlir::Operation &op, mlir::Type type, Block &into);
  bool importNumbers(mlir::Operation &op, Block &into);
  void importRole(ir::RoleOp op, Block &into);
  void importGather(ir::LoadOp op, const View &to, const View &from, Block &into);
  bool importData(mlir::Operation &op, Block &into);
  bool importMap(mlir::Operation &op, Block &into);
  void importRaw(ir::RawOp op, Block &into);
  bool importMbarrierOp(mlir::Operation &op, Block &into);
  bool importGroups(mlir::Operation &op, Block &into);
  bool importFlags(mlir::Operation &op, Block &into);
  static bool touchesTensorMemory(ir::CopyOp op);
  void importTensorMemoryCopy(ir::CopyOp op, Block &into);
  void importProduct(ir::Tcgen05MmaOp op, Block &into);
  void importCommit(ir::Tcgen05CommitOp op, Block &into);
  bool importTensorMemory(mlir::Operation &op, Block &into);

  std::vector<ValueId> ids(mlir::ValueRange values);
  Index index(mlir::Value value) { return scalars_.index(value); }
  View bufferView(mlir::Value value);
  std::vector<View> bufferViews(mlir::ValueRange values);
  View tensorView(mlir::Value tensor, mlir::ValueRange offsets, const View &box);
  View element(mlir::Value tensor, mlir::ValueRange offsets) {
    return tensorView(tensor, offsets, View{});
  }
  View elementOf(mlir::Operation &op, mlir::Value tile, mlir::ValueRange offsets);
  MbarrierRef barrier(mlir::Value array, mlir::Value slot, mlir::Value rank = {});
  Index accumulate(mlir::Value condition) { return condition ? index(condition) : Index{kNone, 1}; }

  template <typename T> void push(Block &into, mlir::Operation &op, T operation);
  template <typename T> void pushOne(Block &into, mlir::Operation &op, T operation);
  void fail(mlir::Operation &op, const std::string &message);

  ir::KernelOp kernel_;
  Program program_;
  ScalarImport scalars_{program_};
  llvm::DenseMap<mlir::Value, int> tensors_, buffers_, mbarriers_;
  llvm::DenseMap<mlir::Value, int> parameters_; // f32 arguments
  llvm::DenseSet<mlir::Value> positive_;        // the grid's extents, steps of loops before
  llvm::DenseSet<mlir::Operation *> assumed_;   // assumptions, and what nothing else needs
  std::vector<mlir::Operation *> integers_;     // that may mean something else to MLIR
  std::string role_;
  std::optional<Error> error_;
};

/// Whether an operation on integers takes them as unsigned.
bool readsUnsigned(mlir::Operation &op);

inline Exec execOf(mlir::Operation &op) {
  auto attr = op.getAttrOfType<ir::ExecAttr>("exec");
  return attr ? Exec(int(attr.getValue())) : Exec::threads;
}

inline Pipe pipeOf(mlir::Operation &op) {
  auto attr = op.getAttrOfType<ir::PipeAttr>("pipe");
  static const Pipe pipes[] = {Pipe::none, Pipe::s,   Pipe::mte1, Pipe::mte2, Pipe::mte3,
                               Pipe::m,    Pipe::fix, Pipe::v,    Pipe::all};
  return attr ? pipes[int(attr.getValue())] : Pipe::none;
}

inline CachePolicy policyOf(ir::CachePolicy policy) {
  return CachePolicy(int(policy));
}

inline Scope scopeOf(ir::Scope scope) {
  static const Scope scopes[] = {Scope::cta, Scope::cluster, Scope::gpu};
  return scopes[int(scope)];
}

inline Pipe pipeOf(ir::Pipe pipe) {
  static const Pipe pipes[] = {Pipe::none, Pipe::s,   Pipe::mte1, Pipe::mte2, Pipe::mte3,
                               Pipe::m,    Pipe::fix, Pipe::v,    Pipe::all};
  return pipes[int(pipe)];
}

template <typename T> void Importer::push(Block &into, mlir::Operation &op, T operation) {
  into.stmts.push_back({std::move(operation), execOf(op), pipeOf(op), locationOf(op.getLoc())});
}

} // namespace sluice
