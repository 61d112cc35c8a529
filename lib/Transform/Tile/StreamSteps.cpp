#include "Transform/Tile/StreamSteps.h"

#include "Arch/GemmCosts.h"
#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/AddedTensor.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::failure;
using mlir::isa;
using mlir::Value;
namespace scf = mlir::scf;

/// Steps of a tile, which counters of 32 bits hold.
static constexpr int64_t mostSteps = int64_t{1} << 20;

std::optional<int64_t> mostStreamedTiles(GridOp grid) {
  auto most = marks::stream.of(grid);
  return most ? std::optional(most.getInt()) : std::nullopt;
}

// ---- What can be dealt out --------------------------------------------------------------------

/// CTAs with a part of a tile do it too: its results are stored by the last of them alone.
static bool mayBeRepeated(mlir::Operation *op) {
  return isa<AllocOp, LoadOp, StoreOp, FillOp, CopyOp, MapOp, ReduceOp, AssumeOp, GridOp,
             ScalarLoadOp, scf::ForOp, scf::IfOp>(op) ||
         mlir::isMemoryEffectFree(op);
}

static mlir::LogicalResult verifyBeside(scf::ForOp loop) {
  const auto wrong = loop->getParentOfType<KernelOp>().getBody().walk([&](mlir::Operation *op) {
    if (loop->isAncestor(op) || mayBeRepeated(op))
      return mlir::WalkResult::advance();
    unsupported(op, "stands beside a loop that is streamed, whose tiles several CTAs have steps "
                    "of; loads, stores and element functions are supported there");
    return mlir::WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

mlir::FailureOr<scf::ForOp> findStreamedLoop(GridOp grid) {
  scf::ForOp found;
  for (auto loop : grid->getBlock()->getOps<scf::ForOp>()) {
    if (accumulatorsOf(loop).empty())
      continue;
    if (found)
      return unsupported(loop, "multiplies beside a loop that is streamed; one loop of products is "
                               "supported in a grid with sluice.stream");
    found = loop;
  }
  if (!found)
    return grid.emitError("sluice.stream deals out the steps of a loop of products, and there is "
                          "none; leave it out");
  for (const llvm::StringRef name : {marks::split.name, marks::alternate.name})
    if (found->hasAttr(name))
      return found.emitError(name)
             << " in a grid with sluice.stream, whose CTAs take ranges of the "
                "steps; leave one out";
  if (const auto roles = rolesOfProducts(found); roles.size() > 1)
    return unsupported(found, "is streamed, and roles '")
           << roles[0] << "' and '" << roles[1]
           << "' multiply in it: one role hands on the sums of a tile when it is their turn; let "
              "one multiply";
  if (failed(verifyDealtLoop(found, "streamed", 1)) || failed(verifyBeside(found)))
    return failure();
  return found;
}

// ---- Shares -----------------------------------------------------------------------------------

StreamedSteps::StreamedSteps(GridOp grid, scf::ForOp loop, int64_t cluster, Value rank)
    : kernel_(grid->getParentOfType<KernelOp>()), loop_(loop), role_(rolesOfProducts(loop).front()),
      of_(*stepsOf(loop)), most_(std::max<int64_t>(*mostStreamedTiles(grid) / cluster, 1)),
      cluster_(cluster), rank_(rank) {
  auto *context = grid.getContext();
  const auto tensor = [&](llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    const int rank = static_cast<int>(shape.size());
    return TensorType::get(context, shape, element, rank - 1, TensorType::defaultRows(rank), 4);
  };
  auto number = mlir::IntegerType::get(context, 32);
  llvm::SmallVector<int64_t> turns{most_};
  if (rank_) // CTAs of a cluster side by side
    turns.push_back(cluster_);
  turn_ = addWorkspace(kernel_, "turn", tensor(turns, number));
  for (AllocOp sums : accumulatorsOf(loop)) {
    auto type = sums.getBuffer().getType();
    parts_.emplace_back(
        sums, addWorkspace(kernel_, "part_" + sums.getName().str(),
                           tensor({most_ * type.getShape()[0], cluster_ * type.getShape()[1]},
                                  type.getElementType())));
  }
}

void assumeMost(IndexArithmetic &to, Value count, int64_t most, int64_t told, const char *what) {
  Value holds = mlir::arith::CmpIOp::create(to.b, to.loc, mlir::arith::CmpIPredicate::sle, count,
                                            to.constant(most));
  AssumeOp::create(to.b, to.loc, holds,
                   to.b.getStringAttr(llvm::Twine("at most ") + llvm::Twine(told) + " " + what));
}

Value StreamedSteps::ctasFor(IndexArithmetic &to, Value tiles, const Arch &arch) {
  Value extent = DimOp::create(to.b, to.loc, to.b.getIndexType(), of_.tensor, of_.dimension);
  Value steps = to.ceilDiv(extent, to.constant(of_.size));
  assumeMost(to, tiles, most_, most_ * cluster_, "tiles, as sluice.stream says");
  assumeMost(to, steps, mostSteps, mostSteps, "steps along the sum of a tile");
  steps_ = named(to.max(steps, to.constant(1)), "steps"); // a sum of none: one that adds zeros
  all_ = named(to.mul(tiles, steps_), "allSteps");
  Value wanted = to.ceilDiv(all_, to.constant(GemmCosts::streamedSteps));
  return to.max(to.min(wanted, to.constant(arch.cores / cluster_)), to.constant(1));
}

/// The CTA has steps `first` to `end_` of all, tile after tile. In tiles from ownEnd_ on it has the
/// first step, in those before wholeEnd_ the last one.
scf::ForOp StreamedSteps::overTiles(IndexArithmetic &to, Value cta, Value ctas) {
  Value share = named(to.ceilDiv(all_, ctas), "share");
  Value first = named(to.mul(cta, share), "first");
  end_ = named(to.min(to.add(first, share), all_), "end");
  firstTile_ = named(to.div(first, steps_), "firstTile");
  firstStep_ = named(to.rem(first, steps_), "firstStep");
  ownEnd_ = named(to.ceilDiv(first, steps_), "ownTile");
  wholeEnd_ = named(to.div(end_, steps_), "wholeTiles");
  Value one = to.constant(1);
  Value lower = to.sub(one, to.ceilDiv(end_, steps_)), upper = to.sub(one, firstTile_);
  auto loop = scf::ForOp::create(to.b, to.loc, lower, upper, one);
  marks::name.set(loop, "below");
  return loop;
}

Value StreamedSteps::tileOf(IndexArithmetic &to, scf::ForOp tiles) {
  tile_ = named(to.sub(to.constant(0), tiles.getInductionVar()), "tile");
  takeSteps(to);
  return tile_;
}

/// The loop goes on from 0: the proof follows which iteration of such a loop is the first.
void StreamedSteps::takeSteps(IndexArithmetic &to) {
  from_ = named(to.select(to.equal(tile_, firstTile_), firstStep_, to.constant(0)), "fromStep");
  to_ = named(to.min(to.sub(end_, to.mul(tile_, steps_)), steps_), "toStep");
  loop_.setUpperBound(named(to.sub(to_, from_), "steps"));
  IndexArithmetic in{mlir::OpBuilder::atBlockBegin(loop_.getBody()), loop_.getLoc()};
  Value t = loop_.getInductionVar(), step = named(in.add(from_, t), "step");
  t.replaceAllUsesExcept(step, step.getDefiningOp());
}

// ---- Sums -------------------------------------------------------------------------------------

/// A row in which nothing is read or written.
static Value behind(IndexArithmetic &to, Value tensor) {
  return DimOp::create(to.b, to.loc, to.b.getIndexType(), tensor, 0);
}

static Value isBefore(IndexArithmetic &to, Value tile, Value end) {
  return mlir::arith::CmpIOp::create(to.b, to.loc, mlir::arith::CmpIPredicate::slt, tile, end);
}

/// Columns from `first` on, as many as `part` has: what was handed on is added.
static MapOp addPart(mlir::OpBuilder &b, mlir::Location loc, AllocOp sums, AllocOp part,
                     int64_t first) {
  auto type = part.getBuffer().getType();
  Value here = SubviewOp::create(b, loc, type, sums.getBuffer(),
                                 {constantIndex(b, loc, 0), constantIndex(b, loc, first)});
  auto map =
      MapOp::create(b, loc, mlir::ValueRange{here, part.getBuffer()}, mlir::ValueRange{here});
  auto &body = map.getBody().emplaceBlock();
  Value x = body.addArgument(type.getElementType(), loc),
        y = body.addArgument(type.getElementType(), loc);
  auto inside = mlir::OpBuilder::atBlockEnd(&body);
  Value sum = type.getElementType().isF32()
                  ? mlir::arith::AddFOp::create(inside, loc, y, x).getResult()
                  : mlir::arith::AddIOp::create(inside, loc, y, x).getResult();
  YieldOp::create(inside, loc, sum);
  return map;
}

/// Adds what the CTAs before have added up of the tile; then the next one finds the sum of both.
void StreamedSteps::handOn(IndexArithmetic &to, AllocOp sums, Value parts) {
  auto loc = to.loc;
  auto type = sums.getBuffer().getType();
  const int64_t rows = type.getShape()[0], columns = type.getShape()[1];
  Value row = to.mul(tile_, to.constant(rows));
  Value own = rank_ ? to.mul(rank_, to.constant(columns)) : to.constant(0);
  Value from = to.select(isBefore(to, tile_, ownEnd_), row, behind(to, parts));
  int64_t width = 32; // few registers beside the sums
  while (columns % width != 0)
    width /= 2;
  for (int64_t first = 0; first < columns; first += width) {
    auto part = AllocOp::create(to.b, loc, type.withShape({rows, width}),
                                sums.getName().str() + "_before", mlir::IntegerAttr());
    Value column = rank_ ? to.add(own, to.constant(first)) : to.constant(first);
    putInRole(
        LoadOp::create(to.b, loc, parts, mlir::ValueRange{from, column}, part.getBuffer(), nullptr),
        role_);
    putInRole(addPart(to.b, loc, sums, part, first), role_);
  }
  Value whole = isBefore(to, tile_, wholeEnd_);
  Value place = to.select(whole, behind(to, parts), row);
  auto store = StoreOp::create(to.b, loc, sums.getBuffer(), parts, mlir::ValueRange{place, own});
  marks::staging.set(store, 0);
  putInRole(store, role_);
}

/// Only who has added the last steps of a tile stores it.
void StreamedSteps::storeWhole(StoreOp store) {
  Value tensor = store.getDestination();
  while (auto clip = tensor.getDefiningOp<ClipOp>())
    tensor = clip.getTensor();
  IndexArithmetic to{mlir::OpBuilder(store), store.getLoc()};
  mlir::OpOperand &row = store.getOffsetsMutable()[0];
  row.set(to.select(isBefore(to, tile_, wholeEnd_), row.get(), behind(to, tensor)));
}

void StreamedSteps::addUp() {
  std::vector<StoreOp> results;
  loop_->getBlock()->walk([&](StoreOp store) { results.push_back(store); });
  for (StoreOp store : results)
    storeWhole(store);
  auto loc = loop_.getLoc();
  IndexArithmetic to{mlir::OpBuilder(loop_), loc};
  to.b.setInsertionPointAfter(loop_);
  llvm::SmallVector<Value> turn{tile_};
  if (rank_)
    turn.push_back(rank_);
  putInRole(
      CounterWaitOp::create(to.b, loc, turn_, turn, from_, ir::Scope::gpu, /*co_resident=*/true),
      role_);
  for (auto &[sums, part] : parts_)
    handOn(to, sums, part);
  Value added = to.max(to.sub(to_, from_), to.constant(0));
  Value back = to.sub(to.constant(0), from_); // the next launch begins with zero
  Value by = named(to.select(to.equal(to_, steps_), back, added), "counted");
  putInRole(CounterAddOp::create(to.b, loc, to.b.getIndexType(), turn_, turn, by, ir::Scope::gpu,
                                 /*relaxed=*/false, ir::Exec::one),
            role_);
}

} // namespace sluice
