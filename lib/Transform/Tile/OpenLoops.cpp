// Loops that go on while a value holds, `scf.while`, on their way through the levels: passes that
// put rings into loops know `scf.for` alone.
#include "Transform/Tile/OpenLoops.h"

#include "Dialect/OpenLoops.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace sluice {

using namespace ir;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace scf = mlir::scf;

/// Whether tiles are declared or touched in it.
static bool hasTiles(scf::WhileOp loop) {
  const auto found = loop.walk([](mlir::Operation *op) {
    const bool tiles = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BufferType>);
    return tiles ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Its condition is asked by every role, and its steps are nobody's to count.
static LogicalResult verifyOpen(scf::WhileOp loop) {
  auto kernel = loop->getParentOfType<KernelOp>();
  for (mlir::Operation &op : *loop.getBeforeBody())
    if (!mlir::isMemoryEffectFree(&op) && !op.hasTrait<mlir::OpTrait::IsTerminator>())
      return unsupported(&op, "stands in front of the condition of a loop, which every role asks; "
                              "move it behind the condition");
  if (takesTurns(kernel))
    return unsupported(loop, "a loop that goes on while a value holds beside sluice.turns, where "
                             "each group skips as many slots as the other takes; leave one out");
  if (loadsAhead(kernel))
    return unsupported(loop, "a loop that goes on while a value holds beside sluice.load_ahead: "
                             "nobody knows how many steps there are to load; leave one out");
  return success();
}

namespace {
/// Opens one loop: the part in front of the condition is computed with the values that come in, and
/// at the end of each step for the next one.
class Opening {
public:
  explicit Opening(scf::WhileOp loop) : loop_(loop), b_(loop), loc_(loop.getLoc()) {}

  void run() {
    const auto first = ask(loop_.getInits());
    Value most = constantIndex(b_, loc_, INT32_MAX), none = constantIndex(b_, loc_, 0);
    Value end = mlir::arith::SelectOp::create(b_, loc_, first.front(), most, none);
    auto open = scf::ForOp::create(b_, loc_, none, end, constantIndex(b_, loc_, 1), first);
    open->setDiscardableAttrs(loop_->getDiscardableAttrDictionary());
    marks::open.set(open);
    llvm::SmallVector<llvm::StringRef> names(first.size(), "carried");
    names.front() = "goes_on";
    marks::carries.set(open, b_.getStrArrayAttr(names));
    take(open);
    loop_.replaceAllUsesWith(open.getResults().drop_front());
    loop_.erase();
  }

private:
  /// Whether a step is taken with these values, and what it is handed.
  llvm::SmallVector<Value> ask(mlir::ValueRange values) {
    mlir::IRMapping map;
    map.map(loop_.getBeforeArguments(), values);
    for (mlir::Operation &op : loop_.getBeforeBody()->without_terminator())
      b_.clone(op, map);
    auto condition = loop_.getConditionOp();
    llvm::SmallVector<Value> found{map.lookupOrDefault(condition.getCondition())};
    for (Value handed : condition.getArgs())
      found.push_back(map.lookupOrDefault(handed));
    return found;
  }

  void take(scf::ForOp open) {
    mlir::Block &body = *open.getBody();
    if (!body.empty())
      body.back().erase();
    for (auto [from, to] :
         llvm::zip(loop_.getAfterArguments(), open.getRegionIterArgs().drop_front()))
      from.replaceAllUsesWith(to);
    auto yielded = llvm::to_vector(loop_.getYieldOp().getOperands());
    auto &step = loop_.getAfterBody()->getOperations();
    body.getOperations().splice(body.end(), step, step.begin(), std::prev(step.end()));
    b_.setInsertionPointToEnd(&body);
    const auto next = ask(yielded);
    scf::YieldOp::create(b_, loc_, next);
  }

  scf::WhileOp loop_;
  mlir::OpBuilder b_;
  mlir::Location loc_;
};
} // namespace

LogicalResult openLoops(KernelOp kernel, const Arch & /*arch*/) {
  return forEach<scf::WhileOp>(kernel, [](scf::WhileOp loop) -> LogicalResult {
    if (!hasTiles(loop))
      return success();
    if (failed(verifyOpen(loop)))
      return failure();
    Opening(loop).run();
    return success();
  });
}

/// The loop as it was, with what passes have made it carry beside, and the number of the step.
static void close(scf::ForOp open) {
  mlir::OpBuilder b(open);
  auto inits = llvm::to_vector(open.getInitArgs());
  inits.push_back(open.getLowerBound());
  auto loop = scf::WhileOp::create(
      b, open.getLoc(), mlir::ValueRange(inits).getTypes(), inits,
      [](mlir::OpBuilder &in, mlir::Location loc, mlir::ValueRange values) {
        scf::ConditionOp::create(in, loc, values.front(), values);
      },
      [&](mlir::OpBuilder &in, mlir::Location loc, mlir::ValueRange values) {
        for (auto [from, to] : llvm::zip(open.getRegionIterArgs(), values))
          from.replaceAllUsesWith(to);
        open.getInductionVar().replaceAllUsesWith(values.back());
        mlir::Block &to = *in.getInsertionBlock();
        to.getOperations().splice(to.end(), open.getBody()->getOperations());
        auto *yield = to.getTerminator();
        in.setInsertionPoint(yield);
        Value next = mlir::arith::AddIOp::create(in, loc, values.back(), open.getStep());
        yield->insertOperands(yield->getNumOperands(), next);
      });
  if (marks::pipelined.on(open))
    marks::pipelined.set(loop);
  open.replaceAllUsesWith(loop.getResults().drop_back());
  open.erase();
}

LogicalResult closeLoops(KernelOp kernel, const Arch & /*arch*/) {
  return forEach<scf::ForOp>(kernel, [](scf::ForOp loop) {
    if (marks::open.on(loop))
      close(loop);
    return success();
  });
}

} // namespace sluice
