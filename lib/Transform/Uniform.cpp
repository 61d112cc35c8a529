#include "Transform/Uniform.h"

#include "Dialect/Marks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {

namespace {

namespace marks = ir::marks;
namespace scf = mlir::scf;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;

using Sources = llvm::SmallSetVector<mlir::Operation *, 2>; // operations that bring data in

bool bringsData(mlir::Operation *op) {
  return isa<ir::ScalarLoadOp, ir::ScalarReadOp, ir::ClcQueryOp, ir::CounterAddOp>(op);
}

/// Operations on data that agents do for themselves; all others synchronise.
bool synchronises(mlir::Operation *op) {
  return llvm::isa_and_nonnull<ir::SluiceDialect>(op->getDialect()) &&
         !isa<ir::SlotOp, ir::SubviewOp, ir::TransposeOp, ir::ClipOp, ir::CursorOp,
              ir::CursorAdvanceOp, ir::CursorAdvanceDynOp, ir::CursorSlotOp, ir::CursorPhaseOp,
              ir::UniformOp, ir::ScalarLoadOp, ir::ScalarReadOp, ir::ClcQueryOp, ir::ScalarWriteOp,
              ir::DimOp, ir::LoadOp, ir::StoreOp, ir::CopyOp, ir::FillOp, ir::PrintOp, ir::MapOp,
              ir::ReduceOp, ir::RawOp, ir::RandomOp, ir::YieldOp, ir::PrefetchOp, ir::AllocOp,
              ir::ClusterRankOp, ir::SubblockOp>(op);
}

/// Values by the data that they depend on; `sluice.uniform` ends the dependence.
class DataFlow {
public:
  explicit DataFlow(ir::KernelOp kernel) {
    for (bool grew = true; grew;) {
      grew = false;
      kernel->walk([&](mlir::Operation *op) { grew |= visit(op); });
    }
  }

  bool depends(Value v) const {
    const auto at = sources_.find(v);
    return at != sources_.end() && !at->second.empty();
  }
  const Sources &sources(Value v) { return sources_[v]; }

private:
  bool give(Value to, Value from) {
    const auto at = sources_.find(from);
    if (at == sources_.end() || at->second.empty())
      return false;
    const Sources found = at->second;
    Sources &into = sources_[to];
    const size_t before = into.size();
    into.insert(found.begin(), found.end());
    return into.size() != before;
  }

  bool give(mlir::ValueRange to, mlir::ValueRange from) {
    bool grew = false;
    for (auto [t, f] : llvm::zip(to, from))
      grew |= give(t, f);
    return grew;
  }

  bool visit(mlir::Operation *op) {
    if (isa<ir::UniformOp>(op))
      return false;
    if (bringsData(op)) {
      const bool isNew = sources_[op->getResult(0)].insert(op);
      return fromOperands(op) || isNew; // where it reads
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto yield = llvm::cast<scf::YieldOp>(loop.getBody()->getTerminator());
      bool grew = give(loop.getRegionIterArgs(), loop.getInitArgs());
      grew |= give(loop.getRegionIterArgs(), yield.getOperands());
      grew |= give(loop.getInductionVar(), loop.getLowerBound());
      grew |= give(loop.getInductionVar(), loop.getStep());
      for (Value result : loop.getResults()) // as often as the bound says
        grew |= give(result, loop.getUpperBound());
      return grew | give(loop.getResults(), loop.getRegionIterArgs());
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      bool grew = false;
      for (mlir::Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty())
          grew |= give(branch.getResults(), region->front().getTerminator()->getOperands());
      for (Value result : branch.getResults())
        grew |= give(result, branch.getCondition());
      return grew;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto condition = loop.getConditionOp();
      bool grew = give(loop.getBeforeArguments(), loop.getInits());
      grew |= give(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
      grew |= give(loop.getAfterArguments(), condition.getArgs());
      for (Value result : loop.getResults())
        grew |= give(result, condition.getCondition());
      return grew | give(loop.getResults(), condition.getArgs());
    }
    return op->getNumRegions() == 0 && fromOperands(op);
  }

  bool fromOperands(mlir::Operation *op) {
    bool grew = false;
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        grew |= give(result, operand);
    return grew;
  }

  llvm::DenseMap<Value, Sources> sources_;
};

LogicalResult verifyScalarLoad(ir::KernelOp kernel, ir::ScalarLoadOp load) {
  auto tensor = dyn_cast<mlir::BlockArgument>(load.getSource());
  if (!tensor)
    return load.emitOpError("reads a clipped tensor; read the tensor itself");
  const unsigned i = tensor.getArgNumber();
  const std::string name = kernel.argumentName(i);
  if (marks::isWritten(kernel, i))
    return load.emitOpError("reads ")
           << name << ", which this launch writes: another agent may have changed it or not. Read "
           << "a tensor that the kernel does not write, or hand the number on through shared "
           << "memory (sluice.scalar_write, sluice.scalar_read)";
  for (unsigned other = 0; other < kernel.getNumArguments(); ++other)
    if (auto place = marks::inPlace.of(kernel, other); place && place.getValue() == name)
      return load.emitOpError("reads ")
             << name << ", in whose place this launch may write " << kernel.argumentName(other);
  if (marks::previous.on(kernel, i))
    return load.emitOpError("reads ")
           << name << ", which the kernel before may still be writing; only tensors that nobody "
           << "writes while the kernel runs may be read so";
  if (load.getOffsets().size() > 3)
    return load.emitOpError("reads a tensor of rank ")
           << load.getOffsets().size() << "; at most 3 indices are supported";
  return success();
}

/// Warps of the role around an operation, or of the CTA; 0: not told.
int64_t warpsAround(mlir::Operation *op) {
  if (auto role = op->getParentOfType<ir::RoleOp>())
    return role.getFirst() && role.getEnd() ? *role.getEnd() - *role.getFirst() : 0;
  return op->getParentOfType<ir::KernelOp>().getWarps().value_or(0);
}

/// Every warp of a role follows a uniform value: it may not be known to a lane or a warp alone.
LogicalResult verifyMark(DataFlow &flow, ir::UniformOp mark) {
  if (mark->getParentOfType<ir::MapOp>() || mark->getParentOfType<ir::ReduceOp>() ||
      mark->getParentOfType<ir::RawOp>())
    return mark.emitOpError("marks a value of one element, which differs from lane to lane; mark "
                            "scalars outside of sluice.map and sluice.reduce");
  for (mlir::Operation *source : flow.sources(mark.getValue())) {
    auto add = dyn_cast<ir::CounterAddOp>(source);
    if (add && add.getExec() == ir::Exec::threads)
      return mark.emitOpError("marks the old value of an add by all threads, which differs from "
                              "lane to lane; add by one");
    if (add && (!mark->getParentOfType<ir::RoleOp>() || warpsAround(mark) != 1))
      return mark.emitOpError("marks the old value of a counter, which the adding warp alone "
                              "knows, in a role of several warps. Hand it on through shared memory "
                              "(sluice.scalar_write, sluice.scalar_read), or draw in a role of one "
                              "warp");
  }
  return success();
}

LogicalResult unmarked(mlir::Operation *op, const char *what) {
  return op->emitError() << what << " depends on data that is not marked uniform: all agents that "
                         << "meet at a barrier must follow the same value. Mark it with "
                         << "sluice.uniform, or move the synchronisation out of the branch";
}

mlir::Operation *firstSynchronisation(mlir::Operation *control) {
  mlir::Operation *found = nullptr;
  control->walk([&](mlir::Operation *inner) {
    if (!found && inner != control && synchronises(inner))
      found = inner;
  });
  return found;
}

/// What a loop or branch follows.
llvm::SmallVector<Value, 3> deciding(mlir::Operation *control) {
  if (auto loop = dyn_cast<scf::ForOp>(control))
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  if (auto branch = dyn_cast<scf::IfOp>(control))
    return {branch.getCondition()};
  if (auto loop = dyn_cast<scf::WhileOp>(control))
    return {loop.getConditionOp().getCondition()};
  return {};
}

LogicalResult verifyControl(const DataFlow &flow, mlir::Operation *op) {
  for (Value v : deciding(op))
    if (flow.depends(v))
      if (mlir::Operation *inner = firstSynchronisation(op))
        return unmarked(inner, "synchronisation under a branch that");
  return success();
}

/// Slots, parities, bytes and ranks; where in a tensor a copy goes may be any data.
LogicalResult verifyOperandsAlike(const DataFlow &flow, mlir::Operation *op) {
  if (!synchronises(op) || bringsData(op))
    return success();
  llvm::SmallVector<Value, 4> steering(op->getOperands());
  if (auto load = dyn_cast<ir::TmaLoadOp>(op)) {
    steering = {load.getIndex()};
    if (load.getRank())
      steering.push_back(load.getRank());
  } else if (isa<ir::TmaStoreOp, ir::GridOp, ir::CounterWaitOp>(op)) {
    steering.clear();
  }
  for (Value v : steering)
    if (flow.depends(v))
      return unmarked(op, "a slot, parity, id, count or rank that");
  return success();
}

/// What a map takes from outside its body is the same for all elements.
LogicalResult verifyShared(DataFlow &flow, ir::MapOp map) {
  llvm::SetVector<Value> taken;
  mlir::getUsedValuesDefinedAbove(map.getBody(), taken);
  for (Value v : taken)
    if (llvm::any_of(flow.sources(v), llvm::IsaPred<ir::CounterAddOp>))
      return map.emitOpError("takes the old value of a counter, which the adding warp alone knows: "
                             "it would be another for other elements. Hand it on through shared "
                             "memory (sluice.scalar_write, sluice.scalar_read), or, in a role of "
                             "one warp, mark it with sluice.uniform");
  return success();
}

/// Whether other warps than those that have executed an add stand beside them: to them its old
/// value is 0.
bool isKnownToSome(mlir::Operation *source) {
  auto add = dyn_cast<ir::CounterAddOp>(source);
  return add && (add.getExec() == ir::Exec::one || add.getExec() == ir::Exec::warpgroup) &&
         warpsAround(add) != 1;
}

/// What one lane does with an old value it knows; others that do the same would take 0 for it.
LogicalResult verifyDrawn(DataFlow &flow, mlir::Operation *op) {
  auto exec = op->getAttrOfType<ir::ExecAttr>("exec");
  const bool acts = synchronises(op) ||
                    isa<ir::LoadOp, ir::StoreOp, ir::CopyOp, ir::FillOp, ir::PrintOp, ir::MapOp,
                        ir::ReduceOp, ir::RawOp, ir::ScalarWriteOp, ir::PrefetchOp>(op);
  if (!acts || isa<ir::RoleOp, ir::KernelOp>(op) || (exec && exec.getValue() == ir::Exec::one))
    return success();
  llvm::SmallVector<Value> taken(op->getOperands());
  for (mlir::Operation *at = op->getParentOp(); !isa<ir::RoleOp, ir::KernelOp>(at);
       at = at->getParentOp())
    taken.append(deciding(at));
  for (Value v : taken)
    if (llvm::any_of(flow.sources(v), isKnownToSome))
      return op->emitOpError("takes, or stands under, the old value of a counter, which the adding "
                             "warp alone knows, in a role of several warps: in the others it is 0. "
                             "Hand it on through shared memory (sluice.scalar_write, "
                             "sluice.scalar_read), or draw in a role of one warp");
  return success();
}

} // namespace

LogicalResult verifyScalarLoads(ir::KernelOp kernel) {
  const auto wrong = kernel->walk([&](ir::ScalarLoadOp load) {
    return succeeded(verifyScalarLoad(kernel, load)) ? mlir::WalkResult::advance()
                                                     : mlir::WalkResult::interrupt();
  });
  return mlir::failure(wrong.wasInterrupted());
}

LogicalResult verifyUniform(ir::KernelOp kernel) {
  DataFlow flow(kernel);
  LogicalResult result = success();
  kernel->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto mark = dyn_cast<ir::UniformOp>(op))
      result = verifyMark(flow, mark);
    else if (auto map = dyn_cast<ir::MapOp>(op))
      result = verifyShared(flow, map);
    if (succeeded(result))
      result = verifyControl(flow, op);
    if (succeeded(result))
      result = verifyOperandsAlike(flow, op);
    if (succeeded(result))
      result = verifyDrawn(flow, op);
    return failed(result) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result;
}

} // namespace sluice
