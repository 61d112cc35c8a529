#include "Transform/Pipeline/DrawTiles.h"

#include "Dialect/ValueNames.h"
#include "Transform/AddedTensor.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Pipeline/RolePlan.h"

#include <memory>

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

/// Where the tiles behind the first of each CTA come from: a number for each, through a slot of the
/// ring.
class TileSource {
public:
  explicit TileSource(scf::ForOp loop) : loc_(loop.getLoc()) {}
  virtual ~TileSource() = default;

  /// Whether who finds numbers takes them out of the ring, too.
  virtual bool isTakenByItself() const = 0;
  /// Brings the next number to a slot.
  virtual Value find(mlir::OpBuilder &b, Value slot) = 0;
  virtual Value read(mlir::OpBuilder &b, Value slot) = 0;
  virtual Value tileOf(mlir::OpBuilder &b, Value number) = 0;
  virtual Value isTile(mlir::OpBuilder &b, Value tile) = 0;
  /// Behind the last one.
  virtual void end(IndexArithmetic &to, Value last) = 0;

protected:
  mlir::Location loc_;
};

/// Drawn from a counter.
class CountedTiles : public TileSource {
public:
  CountedTiles(KernelOp kernel, scf::ForOp loop, int64_t cluster)
      : TileSource(loop), tiles_(loop.getUpperBound()), ctas_(loop.getStep()),
        counter_(addCounter(kernel)), cluster_(cluster) {}

  bool isTakenByItself() const override { return false; }
  Value find(mlir::OpBuilder &b, Value slot) override {
    Value old = add(b, constantIndex(b, loc_, 1)).getOld();
    Value zero = constantIndex(b, loc_, 0);
    ScalarWriteOp::create(b, loc_, old, slot, mlir::ValueRange{zero, zero}, ir::Exec::one);
    return old;
  }
  Value read(mlir::OpBuilder &b, Value slot) override {
    Value zero = constantIndex(b, loc_, 0);
    return ScalarReadOp::create(b, loc_, b.getIndexType(), slot, mlir::ValueRange{zero, zero});
  }
  /// The first tiles, one for each CTA, are not drawn. CTAs of a cluster take tiles side by side,
  /// for which one number is drawn.
  Value tileOf(mlir::OpBuilder &b, Value drawn) override {
    Value number = UniformOp::create(b, loc_, drawn);
    setValueName(number, "drawn");
    Value some = mlir::arith::MaxSIOp::create(b, loc_, number, constantIndex(b, loc_, 0));
    if (cluster_ > 1)
      some = mlir::arith::MulIOp::create(b, loc_, some, constantIndex(b, loc_, cluster_));
    return mlir::arith::AddIOp::create(b, loc_, ctas_, some);
  }
  Value isTile(mlir::OpBuilder &b, Value tile) override {
    return mlir::arith::CmpIOp::create(b, loc_, mlir::arith::CmpIPredicate::slt, tile, tiles_);
  }
  /// What is no tile is the last thing that a CTA draws; so who has drawn the last number of all
  /// knows that nobody draws any more, and sets the counter back. Each that draws draws one number
  /// that is no tile, and its first tile is not drawn.
  void end(IndexArithmetic &to, Value drawn) override {
    Value last = UniformOp::create(to.b, loc_, drawn);
    Value all = cluster_ > 1 ? to.div(tiles_, to.constant(cluster_)) : tiles_;
    Value ends = to.equal(last, to.sub(all, to.constant(1)));
    setValueName(last, "last");
    auto branch = scf::IfOp::create(to.b, loc_, ends, /*withElseRegion=*/false);
    to.b.setInsertionPointToStart(branch.thenBlock());
    add(to.b, to.sub(to.constant(-1), last));
  }

private:
  /// Nothing but the number is handed on, so that nobody waits for what was written before.
  CounterAddOp add(mlir::OpBuilder &b, Value value) {
    return CounterAddOp::create(b, loc_, b.getIndexType(), counter_,
                                mlir::ValueRange{constantIndex(b, loc_, 0)}, value, ir::Scope::gpu,
                                /*relaxed=*/true, ir::Exec::one);
  }

  Value tiles_, ctas_, counter_;
  int64_t cluster_; // CTAs
};

/// Those of clusters that have not been launched, where there is a CTA for each tile (Blackwell).
class LaunchedTiles : public TileSource {
public:
  explicit LaunchedTiles(scf::ForOp loop) : TileSource(loop), tiles_(loop.getUpperBound()) {}

  bool isTakenByItself() const override { return true; }
  Value find(mlir::OpBuilder &b, Value slot) override {
    ClcTryCancelOp::create(b, loc_, slot, Value(), Value(), /*multicast=*/false, ir::Exec::one);
    return {};
  }
  Value read(mlir::OpBuilder &b, Value slot) override {
    return ClcQueryOp::create(b, loc_, b.getIndexType(), slot);
  }
  Value tileOf(mlir::OpBuilder &b, Value number) override {
    return UniformOp::create(b, loc_, number);
  }
  /// None is negative, and that none is behind the last one is said for what computes with it.
  Value isTile(mlir::OpBuilder &b, Value tile) override {
    using mlir::arith::CmpIPredicate;
    Value given =
        mlir::arith::CmpIOp::create(b, loc_, CmpIPredicate::sge, tile, constantIndex(b, loc_, 0));
    Value inside = mlir::arith::CmpIOp::create(b, loc_, CmpIPredicate::slt, tile, tiles_);
    Value both = mlir::arith::AndIOp::create(b, loc_, given, inside);
    setValueName(both, "isTile");
    return both;
  }
  void end(IndexArithmetic &, Value) override {}

private:
  Value tiles_;
};

class Draws {
public:
  Draws(KernelOp kernel, scf::ForOp loop, int64_t slots)
      : loc_(loop.getLoc()), first_(loop.getLowerBound()), slots_(slots) {
    for (const int64_t extent : kernel.getCluster().value_or(llvm::ArrayRef<int64_t>()))
      cluster_ *= extent;
    if (isForEachTile(kernel, loop))
      source_ = std::make_unique<LaunchedTiles>(loop);
    else
      source_ = std::make_unique<CountedTiles>(kernel, loop, cluster_);
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
    if (source_->isTakenByItself())
      names.push_back(nameOf(Duty::schedule));
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
      llvm::SmallVector<Value> next{tileOf(end, takeOut(end, values[1])), behind(end, values[1])};
      llvm::append_range(next, loop.getBody()->getTerminator()->getOperands());
      return next;
    });
    setValueName(drawn.getBeforeArguments()[0], "tile");
    loop.replaceAllUsesWith(drawn.getResults().drop_front(2));
    loop.erase();
  }

  /// What the scheduling role does: it goes on until it has handed on a number that is no tile. Of
  /// a cluster the leader alone does.
  void schedule(RoleOp role) {
    role.setLeader(cluster_ > 1);
    IndexArithmetic to{mlir::OpBuilder::atBlockEnd(&role.getBody().front()), loc_};
    auto drawn =
        whileTile(to.b, {first_, start_, to.constant(-1)},
                  [&](mlir::OpBuilder &b, mlir::ValueRange values) -> llvm::SmallVector<Value> {
                    Value number = handOn(b, values[1]);
                    return {tileOf(b, number), behind(b, values[1]), number};
                  });
    TailOp::create(to.b, loc_, ring_, drawn.getResult(1));
    source_->end(to, drawn.getResult(2));
  }

private:
  /// Whether each CTA has one tile of a loop, so that others come from CTAs that are not launched.
  static bool isForEachTile(KernelOp kernel, scf::ForOp loop) {
    return kernel.getTarget() == llvm::StringRef(name(Target::sm_100a)) &&
           loop.getStep() == loop.getUpperBound();
  }

  Value tileOf(mlir::OpBuilder &b, Value number) {
    Value tile = source_->tileOf(b, number);
    setValueName(tile, "nextTile");
    return tile;
  }

  /// The place of one number in the ring.
  Value placeAt(mlir::OpBuilder &b, Value cursor) {
    auto type = mlir::cast<BufferType>(numbers_.getType());
    Value slot = CursorSlotOp::create(b, loc_, b.getIndexType(), cursor);
    return SlotOp::create(b, loc_, type.withSlots(1), numbers_, slot);
  }
  Value behind(mlir::OpBuilder &b, Value cursor) {
    return CursorAdvanceOp::create(b, loc_, cursor);
  }

  /// The next number.
  Value handOn(mlir::OpBuilder &b, Value at) {
    AcquireOp::create(b, loc_, ring_, at);
    Value found = source_->find(b, placeAt(b, at));
    CommitOp::create(b, loc_, ring_, at);
    return source_->isTakenByItself() ? takeOut(b, at) : found;
  }
  Value takeOut(mlir::OpBuilder &b, Value at) {
    WaitOp::create(b, loc_, ring_, at);
    Value read = source_->read(b, placeAt(b, at));
    ReleaseOp::create(b, loc_, ring_, at);
    return read;
  }

  /// Carries `inits`, of which the first is a tile, or a number that is none.
  scf::WhileOp whileTile(
      mlir::OpBuilder &b, llvm::ArrayRef<Value> inits,
      llvm::function_ref<llvm::SmallVector<Value>(mlir::OpBuilder &, mlir::ValueRange)> body) {
    const auto types = llvm::to_vector(mlir::ValueRange(inits).getTypes());
    return scf::WhileOp::create(
        b, loc_, types, inits,
        [&](mlir::OpBuilder &inner, mlir::Location loc, mlir::ValueRange values) {
          scf::ConditionOp::create(inner, loc, source_->isTile(inner, values[0]), values);
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

  mlir::Location loc_;
  Value first_;
  int64_t slots_, cluster_ = 1; // cluster: CTAs
  std::unique_ptr<TileSource> source_;
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
