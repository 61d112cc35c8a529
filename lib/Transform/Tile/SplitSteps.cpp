#include "Transform/Tile/SplitSteps.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/AddedTensor.h"
#include "Transform/IndexArithmetic.h"
#include "Transform/Refusal.h"
#include "Transform/Tile/DealSteps.h"
#include "Transform/Tile/DealtLoop.h"
#include "Transform/Tile/Narrowing.h"

#include "mlir/IR/IRMapping.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace scf = mlir::scf;

/// Of a tile, that the vector cores of one core finish together.
int64_t rowsOfBlock(int64_t rows) {
  constexpr int64_t few = 32; // of 16 each: what turns tiles takes no fewer
  return rows % few == 0 ? few : rows;
}

/// Only tiles that somebody reads are loaded or filled in this loop.
LogicalResult dropUnread(scf::ForOp loop) {
  bool dropped = true;
  while (dropped) {
    dropped = false;
    for (AllocOp tile : llvm::make_early_inc_range(loop.getOps<AllocOp>())) {
      const std::vector<TileAccess> accesses = accessesOf(tile);
      if (llvm::any_of(accesses, [](const TileAccess &access) { return access.reads; }))
        continue;
      for (const TileAccess &access : accesses) {
        if (!isa<LoadOp, FillOp>(access.op))
          return unsupported(access.op, "computes tile '")
                 << tile.getName() << "' in front of a loop that is split over cores";
        access.op->erase();
      }
      while (!tile.getBuffer().use_empty()) // views
        (*tile.getBuffer().user_begin())->erase();
      tile.erase();
      dropped = true;
      break;
    }
  }
  return success();
}

void eraseBehind(mlir::Operation *last) {
  auto *end = last->getBlock()->getTerminator();
  while (end->getPrevNode() != last)
    end->getPrevNode()->erase();
}

class SplitOverCores {
public:
  SplitOverCores(const TileParts &all, scf::ForOp steps, const Arch &arch)
      : all_(all), steps_(steps), arch_(arch), parts_(ctasOf(steps)),
        sums_(accumulatorsOf(steps).front()) {}

  LogicalResult run() {
    if (accumulatorsOf(steps_).size() > 1)
      return unsupported(steps_, "is split over cores and adds up to several tiles; one is "
                                 "supported");
    addWorkspaceOfParts();
    mlir::IRMapping copies;
    mlir::OpBuilder b(all_.loop);
    b.setInsertionPointAfter(all_.loop);
    MeetOp::create(b, steps_.getLoc());
    auto second = mlir::cast<scf::ForOp>(b.clone(*all_.loop, copies));
    if (failed(addUp(second, copies)))
      return failure();
    return storeParts();
  }

private:
  int64_t rows() const { return type().getShape()[0]; }
  BufferType type() const { return mlir::cast<BufferType>(sums_.getBuffer().getType()); }
  int64_t blocks() const { return rows() / rowsOfBlock(rows()); }

  /// One part below the other.
  void addWorkspaceOfParts() {
    auto *context = steps_->getContext();
    auto tensor = TensorType::get(
        context, {mostPartsOfCore * arch_.cores * rows(), type().getShape()[1]},
        type().getElementType(), /*minor=*/1, TensorType::defaultRows(2), /*align=*/1);
    workspace_ =
        addWorkspace(steps_->getParentOfType<KernelOp>(), "parts_" + sums_.getName().str(), tensor);
  }

  /// The first loop: sums of a part of the steps.
  LogicalResult storeParts() {
    takePart(steps_, parts_, all_.part);
    eraseBehind(steps_);
    IndexArithmetic to{mlir::OpBuilder(steps_), steps_.getLoc()};
    to.b.setInsertionPointAfter(steps_);
    Value row = named(to.mul(all_.loop.getInductionVar(), to.constant(rows())), "partRow");
    StoreOp::create(to.b, to.loc, sums_.getBuffer(), workspace_,
                    mlir::ValueRange{row, to.constant(0)});
    return dropUnread(all_.loop);
  }

  /// The second loop, a copy of the whole: of each tile a block of rows in the place of a part.
  LogicalResult addUp(scf::ForOp loop, mlir::IRMapping &copies) {
    marks::name.set(loop, "block");
    IndexArithmetic above{mlir::OpBuilder(loop), loop.getLoc()};
    loop.setUpperBound(named(above.mul(all_.tiles, above.constant(blocks())), "blocks"));
    auto steps = mlir::cast<scf::ForOp>(copies.lookup(steps_.getOperation()));
    auto sums = mlir::cast<AllocOp>(copies.lookup(sums_.getOperation()));
    Value block = copies.lookup(all_.part), tile = copies.lookup(all_.number);
    for (Value counted : {block, tile})
      counted.getDefiningOp()->setOperand(1, above.constant(blocks()));
    Narrowing narrowing(steps, block, blocks(), /*dimension=*/0, "core");
    IndexArithmetic to{mlir::OpBuilder(steps), steps.getLoc()};
    to.b.setInsertionPointAfter(steps);
    AllocOp sum = narrowing.blockOf(to.b, sums);
    narrowing.readInstead(sums, sum);
    if (failed(narrowing.follow(sum)) || failed(narrowing.verifyStores()))
      return failure();
    to.b.setInsertionPointAfter(sum);
    addParts(to, sum, tile, block);
    steps.erase();
    return dropUnread(loop);
  }

  void addParts(IndexArithmetic &to, AllocOp sum, Value tile, Value block) {
    auto loc = to.loc;
    auto narrow = mlir::cast<BufferType>(sum.getBuffer().getType());
    Value inTile = to.mul(block, to.constant(narrow.getShape()[0]));
    FillOp::create(to.b, loc, sum.getBuffer(), llvm::APFloat(0.0));
    auto loop = scf::ForOp::create(to.b, loc, to.constant(0), to.constant(parts_), to.constant(1));
    marks::name.set(loop, "part");
    marks::stages.set(loop, 2);
    IndexArithmetic in{mlir::OpBuilder::atBlockBegin(loop.getBody()), loc};
    Value part = in.add(in.mul(tile, in.constant(parts_)), loop.getInductionVar());
    Value row = in.add(in.mul(part, in.constant(rows())), inTile);
    auto own = AllocOp::create(in.b, loc, narrow, "part", mlir::IntegerAttr());
    LoadOp::create(in.b, loc, workspace_, mlir::ValueRange{row, in.constant(0)}, own.getBuffer(),
                   nullptr);
    addPart(in.b, loc, sum.getBuffer(), own.getBuffer());
  }

  /// sum += own
  static void addPart(mlir::OpBuilder &b, mlir::Location loc, Value sum, Value own) {
    auto map = MapOp::create(b, loc, mlir::ValueRange{sum, own}, mlir::ValueRange{sum});
    auto &body = map.getBody().emplaceBlock();
    const mlir::Type element = mlir::cast<BufferType>(sum.getType()).getElementType();
    Value x = body.addArgument(element, loc), y = body.addArgument(element, loc);
    auto inside = mlir::OpBuilder::atBlockEnd(&body);
    Value both = element.isF32() ? mlir::arith::AddFOp::create(inside, loc, x, y).getResult()
                                 : mlir::arith::AddIOp::create(inside, loc, x, y).getResult();
    YieldOp::create(inside, loc, both);
  }

  TileParts all_;
  scf::ForOp steps_;
  const Arch &arch_;
  int64_t parts_; // of a tile
  mutable AllocOp sums_;
  Value workspace_;
};

} // namespace

LogicalResult splitSteps(const TileParts &all, scf::ForOp steps, const Arch &arch) {
  return SplitOverCores(all, steps, arch).run();
}

} // namespace sluice
