// Conditions on launches: out of the kernel's text, with all that they are computed from.
#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Program/Assumption.h"
#include "Transform/Program/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

/// Scalars with numbers of their own, operands first.
class Taken {
public:
  Taken(const llvm::DenseMap<mlir::Value, int> &tensors) : tensors_(tensors) {}

  std::vector<Scalar> scalars;

  /// Appends an operation on what is there; the number of its result.
  ValueId append(ScalarOp op, std::vector<ValueId> operands, int64_t immediate = 0) {
    const auto result = static_cast<ValueId>(scalars.size());
    scalars.push_back({op, result, std::move(operands), immediate});
    return result;
  }

  /// The operation that no launch knows; null: none.
  mlir::Operation *take(mlir::Value v) {
    if (!known_.insert(v).second)
      return nullptr;
    auto *op = v.getDefiningOp();
    if (!op) {
      auto *owner = v.getParentBlock()->getParentOp();
      if (!llvm::isa<ir::KernelOp>(owner))
        return owner;
      const auto number = llvm::cast<mlir::BlockArgument>(v).getArgNumber() - tensors_.size();
      scalars.push_back({ScalarOp::argument, import_.id(v), {}, 0, int(number)});
      return nullptr;
    }
    if (!llvm::isa<ir::DimOp>(op))
      for (mlir::Value operand : op->getOperands())
        if (auto *failed = take(operand))
          return failed;
    if (readsUnsigned(*op))
      return op;
    if (import_.importAlias(*op))
      return nullptr;
    auto scalar = import_.import(*op, tensors_);
    if (!scalar || scalar->op > ScalarOp::select)
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

/// Adds the values that scalars directly in a block compute: what a launch's grid is computed from.
static void addComputed(const Block &block, std::set<ValueId> &computed) {
  for (const Stmt &s : block.stmts)
    if (auto *scalar = std::get_if<Scalar>(&s.op);
        scalar && (scalar->op <= ScalarOp::select || scalar->op == ScalarOp::load) &&
        std::ranges::all_of(scalar->operands, [&](ValueId v) { return computed.contains(v); }))
      computed.insert(scalar->result);
}

void Importer::importGrid(ir::GridOp op, Block &into) {
  program_.gridRank = int(op.getExtents().size());
  if (const auto count = ir::marks::ctasPerSm.of(op))
    program_.ctasPerSm = int(count.getInt());
  std::set<ValueId> computed;
  for (const Block *block : {&program_.body, &into}) // arguments are in front of all
    addComputed(*block, computed);
  for (mlir::Value extent : op.getExtents()) {
    if (!computed.contains(scalars_.id(extent)))
      return fail(*op, "an extent of the grid that a loop, a branch or an agent gives: no launch "
                       "can tell it. Compute it by arithmetic on constants, extents and arguments");
    takeAsPositive(extent); // else there is no CTA
  }
  for (auto [d, coordinate] : llvm::enumerate(op.getCoordinates())) {
    const std::string own = ir::valueName(coordinate);
    scalars_.name(coordinate, own.empty() ? ir::coordinateName(d) : own);
  }
  push(into, *op, Grid{ids(op.getExtents()), ids(op.getCoordinates())});
}

/// So are the values of which it is a multiple.
void Importer::takeAsPositive(mlir::Value value) {
  positive_.insert(value);
  if (auto product = value.getDefiningOp<mlir::arith::MulIOp>())
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())})
      if (mlir::getConstantIntValue(other).value_or(0) > 0)
        takeAsPositive(factor);
}

/// Printed loops have no end where they stay where they are.
void Importer::importStep(mlir::scf::ForOp op) {
  const mlir::Value step = op.getStep();
  if (mlir::getConstantIntValue(step) || !positive_.insert(step).second)
    return;
  Taken taken(tensors_);
  const char *unknown = "a loop's step that is not computed from constants, extents and arguments: "
                        "no launch can be held against it";
  if (taken.take(step) || stepsOf(taken.scalars) + 2 > maxLaunchScalars)
    return fail(*op, unknown);
  const auto value = static_cast<ValueId>(taken.scalars.size()) - 1;
  taken.append(ScalarOp::ge, {value, taken.append(ScalarOp::constant, {}, 1)});
  program_.assumptions.push_back(
      {std::move(taken.scalars), "a loop's step is at least 1", locationOf(op.getLoc()), true});
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
