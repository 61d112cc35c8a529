#include "Transform/KernelRanges.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice {

namespace scf = mlir::scf;
using mlir::dyn_cast;

KernelRanges::KernelRanges(ir::KernelOp kernel) {
  program_.target = parseTarget(kernel.getTarget().value_or("sm_90a")).value_or(Target::sm_90a);
  if (auto cluster = kernel.getCluster())
    std::copy(cluster->begin(), cluster->end(), program_.cluster);
  for (auto argument : kernel.getBody().getArguments()) {
    if (auto type = dyn_cast<ir::TensorType>(argument.getType())) {
      tensors_[argument] = int(program_.tensors.size());
      Tensor tensor{};
      tensor.rank = int(type.getRank());
      tensor.extents = type.getShape().vec();
      program_.tensors.push_back(std::move(tensor));
    } else {
      const Scalar s{
          ScalarOp::argument, scalars_.id(argument), {}, 0, int(program_.arguments.size())};
      program_.body.stmts.push_back({s, sluice::Exec::threads, sluice::Pipe::none, {}});
      program_.arguments.push_back({"", DType::i32});
    }
  }
  Block body = import(kernel.getBody().front());
  std::ranges::move(body.stmts, std::back_inserter(program_.body.stmts));
  ranges_ = std::make_unique<Ranges>(program_);
}

/// Of a value that came into being later nothing is known.
IntegerRange KernelRanges::of(mlir::Value value) {
  const int32_t known = program_.values;
  const Index index = scalars_.index(value);
  if (index.isConstant())
    return IntegerRange::of(index.constant);
  return index.value < known ? ranges_->of(index.value) : IntegerRange{};
}

std::vector<ValueId> KernelRanges::ids(mlir::ValueRange values) {
  std::vector<ValueId> ids;
  for (mlir::Value value : values)
    ids.push_back(scalars_.id(value));
  return ids;
}

Block KernelRanges::import(mlir::Block &block) {
  Block imported;
  for (mlir::Operation &op : block.without_terminator())
    import(op, imported);
  if (block.mightHaveTerminator())
    imported.yields = ids(block.getTerminator()->getOperands());
  return imported;
}

static Role roleOf(Block body) {
  Role role;
  role.body = std::move(body);
  return role;
}

/// What is no scalar, and no loop or branch that is followed, is a block of its own or nothing.
void KernelRanges::import(mlir::Operation &op, Block &into) {
  const auto push = [&](Operation statement) {
    into.stmts.push_back({std::move(statement), sluice::Exec::threads, sluice::Pipe::none, {}});
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    For f;
    f.iv = scalars_.id(loop.getInductionVar());
    f.lower = scalars_.id(loop.getLowerBound());
    f.upper = scalars_.id(loop.getUpperBound());
    f.step = scalars_.id(loop.getStep());
    f.inits = ids(loop.getInitArgs());
    f.iterArgs = ids(loop.getRegionIterArgs());
    f.results = ids(loop.getResults());
    f.body = import(*loop.getBody());
    push(std::move(f));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    If i;
    i.condition = scalars_.id(branch.getCondition());
    i.results = ids(branch.getResults());
    i.thenBlock = import(*branch.thenBlock());
    if (branch.elseBlock())
      i.elseBlock = import(*branch.elseBlock());
    push(std::move(i));
  } else if (auto grid = dyn_cast<ir::GridOp>(op)) {
    push(Grid{ids(grid.getExtents()), ids(grid.getCoordinates())});
  } else if (scalars_.importAlias(op)) {
    return;
  } else if (auto scalar = scalars_.import(op, tensors_)) {
    push(std::move(*scalar));
  } else {
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &block : region)
        push(roleOf(import(block)));
  }
}

} // namespace sluice
