// Pipeline level, NVIDIA: one stream in which every operation names its role becomes one body per
// role: a copy of the stream that keeps what is the role's own.
#include "Dialect/OpenLoops.h"
#include "Transform/Barrier/Meeting.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/DrawTiles.h"
#include "Transform/Pipeline/HandedNumbers.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

/// Declarations, scalars and the grid stay in front of the roles.
bool isShared(mlir::Operation &op) {
  if (auto alloc = dyn_cast<AllocOp>(op))
    return alloc.getBuffer().getType().getSpace() != Space::reg;
  return isa<PipelineOp, GridOp, AssumeOp>(op) || mlir::isMemoryEffectFree(&op);
}

bool isForeign(mlir::Operation *op, llvm::StringRef role) {
  auto agent = agentOf(op);
  return !agent.empty() && agent != role;
}

/// Statements of the stream in order, with the scalars that need their results. Other scalars
/// behind its first statement move in front of it.
std::vector<mlir::Operation *> takeStream(mlir::Block &body) {
  std::vector<mlir::Operation *> stream;
  for (mlir::Operation &op : llvm::make_early_inc_range(body)) {
    bool needs = llvm::any_of(op.getOperands(), [&](mlir::Value v) {
      return llvm::is_contained(stream, v.getDefiningOp());
    });
    if (!isShared(op) || needs)
      stream.push_back(&op);
    else if (!stream.empty())
      op.moveBefore(stream.front());
  }
  return stream;
}

/// The loop without the values that nobody reads, or that it hands on as they came, and their
/// names.
void dropUnusedCarries(mlir::scf::ForOp loop) {
  llvm::SmallVector<mlir::Value> inits, yields;
  llvm::SmallVector<mlir::Attribute> names;
  llvm::SmallVector<unsigned> kept;
  auto carries = marks::carries.of(loop);
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    mlir::Value yielded = loop.getYieldedValues()[i];
    const bool asked = marks::open.on(loop) && i == 0; // whether it goes on
    const bool unread =
        !asked && (argument.use_empty() || (yielded == argument && argument.hasOneUse()));
    if (unread && loop.getResult(i).use_empty())
      continue;
    kept.push_back(i);
    inits.push_back(loop.getInitArgs()[i]);
    yields.push_back(yielded);
    if (carries && i < carries.size())
      names.push_back(carries[i]);
  }
  if (kept.size() == loop.getNumResults())
    return;
  mlir::OpBuilder b(loop);
  auto fresh = mlir::scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(),
                                        loop.getUpperBound(), loop.getStep(), inits);
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  marks::carries.set(fresh, b.getArrayAttr(names));
  auto &body = *loop.getBody();
  body.getTerminator()->setOperands(yields);
  loop.getInductionVar().replaceAllUsesWith(fresh.getInductionVar());
  for (auto [to, from] : llvm::enumerate(kept)) {
    loop.getRegionIterArg(from).replaceAllUsesWith(fresh.getRegionIterArg(to));
    loop.getResult(from).replaceAllUsesWith(fresh.getResult(to));
  }
  fresh.getBody()->getOperations().clear();
  fresh.getBody()->getOperations().splice(fresh.getBody()->end(), body.getOperations());
  loop.erase();
}

/// What came to a loop, or to a branch where it is not taken: nobody asks how far it has gone on.
llvm::SmallVector<mlir::Value> resultsOfIdle(mlir::Operation *op) {
  if (auto loop = dyn_cast<mlir::scf::ForOp>(op))
    return llvm::to_vector(loop.getInitArgs());
  llvm::SmallVector<mlir::Value> results;
  for (mlir::Value v : mlir::cast<mlir::scf::IfOp>(op).elseYield().getOperands()) {
    auto advance = v.getDefiningOp<CursorAdvanceOp>();
    for (; advance && op->isAncestor(advance); advance = v.getDefiningOp<CursorAdvanceOp>())
      v = advance->getOperand(0);
    results.push_back(v);
  }
  return results;
}

/// Loops and branches in which the role does nothing go: what advances in them are cursors of other
/// roles' rings.
void eraseIdle(RoleOp role) {
  std::vector<mlir::Operation *> idle;
  role.walk([&](mlir::Operation *op) {
    if (!isa<mlir::scf::ForOp, mlir::scf::IfOp>(op) ||
        (isa<mlir::scf::IfOp>(op) && !op->getNumResults()))
      return;
    const bool acts = !mlir::isMemoryEffectFree(op);
    const auto isNobodys = [](mlir::Value v) {
      return v.use_empty() || isa<CursorType>(v.getType());
    };
    if (!acts && llvm::all_of(op->getResults(), isNobodys))
      idle.push_back(op);
  });
  for (auto *op : idle) {
    op->replaceAllUsesWith(resultsOfIdle(op));
    op->erase();
  }
  std::vector<mlir::scf::ForOp> left;
  role.walk([&](mlir::scf::ForOp loop) { left.push_back(loop); });
  for (auto loop : left)
    dropUnusedCarries(loop);
}

/// Copies of what other roles do go; then what only they used.
void keepOwn(RoleOp role) {
  std::vector<mlir::Operation *> all, foreign;
  role.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == role)
      return mlir::WalkResult::advance();
    if (isForeign(op, role.getName())) {
      foreign.push_back(op);
      return mlir::WalkResult::skip(); // its regions go with it
    }
    all.push_back(op);
    return mlir::WalkResult::advance();
  });
  for (auto *op : llvm::reverse(foreign))
    op->erase();
  for (auto *op : llvm::reverse(all))
    if (op->use_empty() && (isa<AllocOp>(op) || mlir::isMemoryEffectFree(op)) &&
        !op->hasTrait<mlir::OpTrait::IsTerminator>())
      op->erase();
  eraseIdle(role);
}

bool isWorkspace(KernelOp kernel, mlir::Value tensor) {
  auto argument = dyn_cast<mlir::BlockArgument>(tensor);
  return argument && argument.getOwner() == &kernel.getBody().front() &&
         marks::workspace.on(kernel, argument.getArgNumber());
}

/// Where counters order CTAs: one thread adds when all of the role have done what stands before,
/// and what CTAs hand on is overwritten when all have read it.
void meetAtCounters(RoleOp role, int64_t warps) {
  auto kernel = role->getParentOfType<KernelOp>();
  std::vector<mlir::Operation *> behind;
  role.walk([&](mlir::Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    if (isa<CounterAddOp>(op) || (store && isWorkspace(kernel, store.getDestination())))
      behind.push_back(op);
  });
  if (llvm::none_of(behind, llvm::IsaPred<CounterAddOp>))
    return;
  const int64_t barrier = lastBarrier(kernel) + 1;
  for (auto *op : behind) {
    mlir::OpBuilder b(op);
    BarSyncOp::create(b, op->getLoc(), barrier, 32 * warps);
  }
}

mlir::LogicalResult addRole(mlir::OpBuilder &b, KernelOp kernel, const PlannedRole &planned,
                            llvm::ArrayRef<mlir::Operation *> stream) {
  auto registers = planned.registers ? b.getI64IntegerAttr(*planned.registers) : nullptr;
  auto role = RoleOp::create(b, kernel.getLoc(), b.getStringAttr(planned.name),
                             b.getI64IntegerAttr(planned.first), b.getI64IntegerAttr(planned.end),
                             nullptr, registers, planned.leader);
  auto inside = mlir::OpBuilder::atBlockEnd(&role.getBody().emplaceBlock());
  if (planned.name == nameOf(Duty::schedule)) // drawTiles says what it does
    return mlir::success();
  mlir::IRMapping mapping;
  for (auto *op : stream)
    inside.clone(*op, mapping);
  takeOwnNumbers(role);
  keepOwn(role);
  meetAtCounters(role, planned.warps());
  return verifyOwnNumbers(role);
}

} // namespace

mlir::LogicalResult splitRoles(KernelOp kernel, const Arch &arch) {
  mlir::Block &body = kernel.getBody().front();
  auto stream = takeStream(body);
  if (stream.empty() || isa<RoleOp>(stream.front()))
    return mlir::success();
  const RolePlan plan = planRoles(kernel, arch);
  if (plan.warps > 32)
    return unsupported(kernel, "the roles have ")
           << plan.warps << " warps; a CTA has 32 at most: give those of sluice.roles fewer";
  auto b = mlir::OpBuilder::atBlockEnd(&body);
  for (const PlannedRole &role : plan.roles)
    if (mlir::failed(addRole(b, kernel, role, stream)))
      return mlir::failure();
  drawTiles(kernel);
  for (auto *op : llvm::reverse(stream))
    op->erase();
  kernel.setWarps(plan.warps);
  marks::roles.remove(kernel); // they are written down now
  return mlir::success();
}

} // namespace sluice
