#include "Transform/Pipeline/DrawTiles.h"

#include "Dialect/ValueNames.h"
#include "Transform/AddedTensor.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Pipeline/RolePlan.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;
using mlir::Value;
namespace scf = mlir::scf;

/// Tiles that are drawn before all roles have come to them: two, or where a role fills a ring once
/// a tile and may be ahead by more, as many as that has, and two on their way.
int64_t slotsFor(llvm::ArrayRef<RoleOp> takers) {
  constexpr int64_t few = 2, onTheirWay = 2;
  int64_t most = 0;
  for (RoleOp role : takers)
    for (auto fills : dynamicLoopOf(role).getOps<AcquireOp>())
      most = std::max(most, mlir::cast<PipelineType>(fills.getPipeline().getType()).getSlots());
  return most > few ? most + onTheirWay : few;
}

/// Zero at launch, and again at its end.
Value addCounter(KernelOp kernel) {
  auto *context = kernel.getContext();
  return addWorkspace(kernel, "next",
                      TensorType::get(context, {1}, mlir::IntegerType::get(context, 32),
                                      /*minor=*/0, TensorType::defaultRows(1), /*align=*/4));
}

class Draws {
public:
  Draws(KernelOp kernel, scf::ForOp loop, int64_t slots)
      : loc_(loop.getLoc()), first_(loop.getLowerBound()), tiles_(loop.getUpperBound()),
        ctas_(loop.getStep()), counter_(addCounter(kernel)), slots_(slots) {
    for (const int64_t extent : kernel.getCluster().value_or(llvm::ArrayRef<int64_t>()))
      cluster_ *= extent;
  }

  /// The ring, in front of the roles that it joins.
  void declare(RoleOp before, llvm::ArrayRef<RoleOp> takers) {
    mlir::OpBuilder b(before);
    constexpr int64_t shape[] = {1, 4}; // of 16 bytes: the first number counts
    auto tile = BufferType::get(b.getContext(), shape, b.getI32Type(), Space::smem, Layout::row,
                                /*minor=*/1, slots_);
    numbers_ = AllocOp::create(b, loc_, tile, "tile_number", mlir::IntegerAttr());
    llvm::SmallVector<llvm::StringRef> names;
    for (RoleOp role : takers)
      names.push_back(role.getName());
    ring_ = PipelineOp::create(
        b, loc_, PipelineType::get(b.getContext(), slots_), b.getStringAttr("tiles"), numbers_,
        b.getStrArrayAttr({nameOf(Duty::schedule)}), b.getStrArrayAttr(names), nullptr, nullptr,
        mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::UnitAttr(), nullptr, nullptr,
        mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::IntegerAttr());
    start_ = CursorOp::create(b, loc_, CursorType::get(b.getContext(), slots_));
  }

  /// The body of the loop, then the tile that comes out of the ring.
  void take(scf::ForOp loop) {
    mlir::OpBuilder b(loop);
    llvm::SmallVector<Value> inits{first_, start_};
    llvm::append_range(inits, loop.getInitArgs());
    auto drawn = whileTile(b, inits, [&](mlir::OpBuilder &end, mlir::ValueRange values) {
      move(loop, *end.getBlock());
      end.setInsertionPointToEnd(end.getBlock());
      auto next = takeOut(end, values[1]);
      llvm::append_range(next, loop.getBody()->getTerminator()->getOperands());
      return next;
    });
    setValueName(drawn.getBeforeArguments()[0], "tile");
    loop.replaceAllUsesWith(drawn.getResults().drop_front(2));
    loop.erase();
  }

  /// What the scheduling role does: it goes on until it has handed on a number that is no tile.
  /// That is the last thing that its CTA draws; so who has drawn the last number of all knows that
  /// nobody draws any more, and sets the counter back.
  /// Of a cluster the leader alone draws.
  void schedule(RoleOp role) {
    role.setLeader(cluster_ > 1);
    IndexArithmetic to{mlir::OpBuilder::atBlockEnd(&role.getBody().front()), loc_};
    auto drawn = whileTile(
        to.b, {first_, start_, to.constant(-1)},
        [&](mlir::OpBuilder &b, mlir::ValueRange values) { return handOn(b, values[1]); });
    TailOp::create(to.b, loc_, ring_, drawn.getResult(1));
    // Each that draws draws one number that is no tile, and its first tile is not drawn.
    Value last = UniformOp::create(to.b, loc_, drawn.getResult(2));
    Value all = cluster_ > 1 ? to.div(tiles_, to.constant(cluster_)) : tiles_;
    Value ends = to.equal(last, to.sub(all, to.constant(1)));
    setValueName(last, "last");
    auto branch = scf::IfOp::create(to.b, loc_, ends, /*withElseRegion=*/false);
    to.b.setInsertionPointToStart(branch.thenBlock());
    add(to.b, to.sub(to.constant(-1), last));
  }

private:
  /// The first tiles, one for each CTA, are not drawn. CTAs of a cluster take tiles side by side,
  /// for which one number is drawn.
  Value tileOf(mlir::OpBuilder &b, Value drawn) {
    Value number = UniformOp::create(b, loc_, drawn);
    setValueName(number, "drawn");
    Value some = mlir::arith::MaxSIOp::create(b, loc_, number, constantIndex(b, loc_, 0));
    if (cluster_ > 1)
      some = mlir::arith::MulIOp::create(b, loc_, some, constantIndex(b, loc_, cluster_));
    Value tile = mlir::arith::AddIOp::create(b, loc_, ctas_, some);
    setValueName(tile, "nextTile");
    return tile;
  }

  /// Nothing but the number is handed on, so that nobody waits for what was written before.
  CounterAddOp add(mlir::OpBuilder &b, Value value) {
    return CounterAddOp::create(b, loc_, b.getIndexType(), counter_,
                                mlir::ValueRange{constantIndex(b, loc_, 0)}, value, Scope::gpu,
                                /*relaxed=*/true, Exec::one);
  }

  /// The place of one number in the ring.
  Value placeAt(mlir::OpBuilder &b, Value cursor) {
    auto type = mlir::cast<BufferType>(numbers_.getType());
    Value slot = CursorSlotOp::create(b, loc_, b.getIndexType(), cursor);
    return SlotOp::create(b, loc_, type.withSlots(1), numbers_, slot);
  }

  /// The next tile, the cursor behind it, and what was drawn for it.
  llvm::SmallVector<Value> handOn(mlir::OpBuilder &b, Value at) {
    Value zero = constantIndex(b, loc_, 0);
    AcquireOp::create(b, loc_, ring_, at);
    Value old = add(b, constantIndex(b, loc_, 1)).getOld();
    ScalarWriteOp::create(b, loc_, old, placeAt(b, at), mlir::ValueRange{zero, zero}, Exec::one);
    CommitOp::create(b, loc_, ring_, at);
    return {tileOf(b, old), CursorAdvanceOp::create(b, loc_, at), old};
  }

  /// Carries `inits`, of which the first is a tile, or a number behind the last.
  scf::WhileOp whileTile(
      mlir::OpBuilder &b, llvm::ArrayRef<Value> inits,
      llvm::function_ref<llvm::SmallVector<Value>(mlir::OpBuilder &, mlir::ValueRange)> body) {
    const auto types = llvm::to_vector(mlir::ValueRange(inits).getTypes());
    return scf::WhileOp::create(
        b, loc_, types, inits,
        [&](mlir::OpBuilder &inner, mlir::Location loc, mlir::ValueRange values) {
          Value more = mlir::arith::CmpIOp::create(inner, loc, mlir::arith::CmpIPredicate::slt,
                                                   values[0], tiles_);
          scf::ConditionOp::create(inner, loc, more, values);
        },
        [&](mlir::OpBuilder &inner, mlir::Location loc, mlir::ValueRange values) {
          const auto next = body(inner, values);
          scf::YieldOp::create(inner, loc, next);
        });
  }

  /// All but the terminator.
  void move(scf::ForOp loop, mlir::Block &to) {
    loop.getInductionVar().replaceAllUsesWith(to.getArgument(0));
    for (auto [from, argument] :
         llvm::zip(loop.getRegionIterArgs(), to.getArguments().drop_front(2)))
      from.replaceAllUsesWith(argument);
    auto &body = loop.getBody()->getOperations();
    to.getOperations().splice(to.end(), body, body.begin(), std::prev(body.end()));
  }

  /// The next tile, and the cursor behind it.
  llvm::SmallVector<Value> takeOut(mlir::OpBuilder &b, Value at) {
    Value zero = constantIndex(b, loc_, 0);
    WaitOp::create(b, loc_, ring_, at);
    Value read = ScalarReadOp::create(b, loc_, b.getIndexType(), placeAt(b, at),
                                      mlir::ValueRange{zero, zero});
    ReleaseOp::create(b, loc_, ring_, at);
    return {tileOf(b, read), CursorAdvanceOp::create(b, loc_, at)};
  }

  mlir::Location loc_;
  Value first_, tiles_, ctas_, counter_;
  int64_t slots_, cluster_ = 1; // cluster: CTAs
  Value numbers_, ring_, start_;
};

} // namespace

void drawTiles(KernelOp kernel) {
  llvm::SmallVector<RoleOp> takers;
  RoleOp scheduler;
  for (RoleOp role : kernel.getOps<RoleOp>())
    if (dynamicLoopOf(role))
      takers.push_back(role);
    else if (role.getName() == nameOf(Duty::schedule))
      scheduler = role;
  if (takers.empty())
    return;
  Draws draws(kernel, dynamicLoopOf(takers.front()), slotsFor(takers));
  draws.declare(takers.front(), takers);
  for (RoleOp role : takers)
    draws.take(dynamicLoopOf(role));
  draws.schedule(scheduler);
}

} // namespace sluice
