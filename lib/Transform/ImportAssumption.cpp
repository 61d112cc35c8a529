// Conditions on launches: out of the kernel's text, with all that they are computed from.
#include "Machine/Assumption.h"
#include "Transform/Importer.h"

namespace sluice {
namespace {

/// Scalars with numbers of their own, operands first.
class Taken {
public:
  Taken(const llvm::DenseMap<mlir::Value, int> &tensors) : tensors_(tensors) {}

  std::vector<Scalar> scalars;

  /// The operation that has no form as a scalar; null: none.
  mlir::Operation *take(mlir::Value v) {
    if (!known_.insert(v).second)
      return nullptr;
    auto *op = v.getDefiningOp();
    if (!op) {
      const auto number = llvm::cast<mlir::BlockArgument>(v).getArgNumber() - tensors_.size();
      scalars.push_back({ScalarOp::argument, import_.id(v), {}, 0, int(number)});
      return nullptr;
    }
    if (!llvm::isa<ir::DimOp>(op))
      for (mlir::Value operand : op->getOperands())
        if (auto *failed = take(operand))
          return failed;
    if (import_.importAlias(*op))
      return nullptr;
    auto scalar = import_.import(*op, tensors_);
    if (!scalar)
      return op;
    scalars.push_back(std::move(*scalar));
    return nullptr;
  }

private:
  const llvm::DenseMap<mlir::Value, int> &tensors_; // the first arguments of the kernel
  Program apart_;
  ScalarImport import_{apart_};
  llvm::DenseSet<mlir::Value> known_;
};

/// As a launcher counts them: what is needed twice is computed twice.
size_t stepsOf(const std::vector<Scalar> &scalars) {
  std::vector<size_t> steps;
  for (const Scalar &s : scalars) {
    size_t all = 1;
    for (const ValueId operand : s.operands)
      all += steps[operand];
    steps.push_back(std::min(all, 2 * maxLaunchScalars));
  }
  return steps.back();
}

} // namespace

void Importer::importAssumption(ir::AssumeOp op) {
  Taken taken(tensors_);
  if (auto *failed = taken.take(op.getCondition()))
    return fail(*failed, "'" + failed->getName().getStringRef().str() +
                             "' is not supported in an assumption yet");
  if (stepsOf(taken.scalars) > maxLaunchScalars)
    return fail(*op, "an assumption of more than " + std::to_string(maxLaunchScalars) +
                         " steps; state it as several");
  program_.assumptions.push_back(
      {std::move(taken.scalars), op.getMessage().str(), locationOf(op.getLoc())});
}

void Importer::findAssumed() {
  for (mlir::Operation &op : llvm::reverse(kernel_.getBody().front())) {
    const bool assumed =
        llvm::isa<ir::AssumeOp>(op) || (!op.use_empty() && mlir::isMemoryEffectFree(&op) &&
                                        llvm::all_of(op.getUsers(), [&](mlir::Operation *user) {
                                          return assumed_.contains(user);
                                        }));
    if (assumed)
      assumed_.insert(&op);
  }
}

} // namespace sluice
