#include "Transform/Tile/DealtLoop.h"

#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

std::optional<Steps> stepsOf(scf::ForOp loop) {
  auto count = loop.getUpperBound().getDefiningOp<arith::CeilDivSIOp>();
  auto extent = count ? count.getLhs().getDefiningOp<DimOp>() : DimOp();
  auto size = count ? mlir::getConstantIntValue(count.getRhs()) : std::nullopt;
  if (!extent || !size || mlir::getConstantIntValue(loop.getLowerBound()) != 0 ||
      mlir::getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  return Steps{extent.getTensor(), int64_t(extent.getDimension()), *size};
}

std::vector<AllocOp> accumulatorsOf(scf::ForOp loop) {
  llvm::SmallSetVector<mlir::Operation *, 2> found;
  loop.walk([&](MmaOp mma) { found.insert(rootOf(mma.getD())); });
  std::vector<AllocOp> tiles;
  for (auto *tile : found)
    tiles.push_back(mlir::cast<AllocOp>(tile));
  return tiles;
}

std::vector<std::string> rolesOfProducts(scf::ForOp loop) {
  llvm::SmallSetVector<llvm::StringRef, 2> roles;
  loop.walk([&](MmaOp mma) { roles.insert(roleFor(mma)); });
  return {roles.begin(), roles.end()};
}

namespace {

/// Whether step t loads `operand` from t times the size of a step on, along K: then it is zero in
/// steps beyond the last. `along`: the dimension of the tile that runs along K.
bool endsWithSteps(Value operand, int along, scf::ForOp loop, const Steps &steps) {
  if (auto turned = operand.getDefiningOp<TransposeOp>())
    return endsWithSteps(turned.getBuffer(), 1 - along, loop, steps);
  auto tile = operand.getDefiningOp<AllocOp>();
  if (!tile || tile.getBuffer().getType().getShape()[along] != steps.size)
    return false;
  auto accesses = accessesOf(tile);
  auto load = dyn_cast<LoadOp>(accesses.front().op);
  if (!load || load.getRows() || load.getSource() != steps.tensor)
    return false;
  const size_t dimension = load.getSource().getType().dimensionOf(along);
  auto offset = load.getOffsets()[dimension].getDefiningOp<arith::MulIOp>();
  if (!offset || int64_t(dimension) != steps.dimension)
    return false;
  Value t = loop.getInductionVar();
  const bool first = offset.getLhs() == t;
  return (first || offset.getRhs() == t) &&
         mlir::getConstantIntValue(first ? offset.getRhs() : offset.getLhs()) == steps.size;
}

/// Loads and products alone, and every product with an operand that is zero beyond the last step.
LogicalResult verifyBody(scf::ForOp loop, const std::string &how) {
  const auto steps = stepsOf(loop);
  if (!steps || !loop.getInitArgs().empty())
    return loop.emitError("a loop that is ")
           << how
           << " counts the steps of an extent, 0 to ceildiv(extent of a tensor, size of a step); "
              "other bounds are not supported";
  for (mlir::Operation &op : loop.getBody()->without_terminator()) {
    auto mma = dyn_cast<MmaOp>(op);
    if (!mma && !isa<AllocOp, LoadOp>(op) && !mlir::isMemoryEffectFree(&op))
      return unsupported(&op, "stands in a loop that is ")
             << how << "; loads and products are supported there alone";
    if (mma && !endsWithSteps(mma.getA(), 1, loop, *steps) &&
        !endsWithSteps(mma.getB(), 0, loop, *steps))
      return unsupported(&op, "stands in a loop that is ")
             << how << ", whose steps go along dimension " << steps->dimension << " of a tensor in "
             << steps->size
             << "; a product is supported there if one of its operands is loaded from that tensor "
                "step by step: beyond its end are zeros";
  }
  return success();
}

/// Zero before the loop, touched by nothing else than its products in it.
LogicalResult verifyAccumulator(AllocOp tile, scf::ForOp loop, const std::string &how,
                                int64_t ctas) {
  constexpr int64_t granule = 8; // columns of an instruction's accumulator
  const auto type = tile.getBuffer().getType();
  if (type.getShape()[1] % (granule * ctas) != 0)
    return unsupported(loop, "is ")
           << how << " over " << ctas << " CTAs; accumulator '" << tile.getName() << "' has "
           << type.getShape()[1] << " columns, which must be a multiple of " << granule * ctas;
  bool zero = false;
  for (const TileAccess &access : accessesOf(tile)) {
    auto fill = dyn_cast<FillOp>(access.op);
    if (fill && fill.getValue().isZero() && access.op->getBlock() == loop->getBlock() &&
        access.op->isBeforeInBlock(loop) && !zero && access.view == tile.getBuffer()) {
      zero = true;
      continue;
    }
    auto *here = ancestorIn(loop->getBlock(), access.op);
    if (here == loop ? !isa<MmaOp>(access.op) || access.view != tile.getBuffer()
                     : !here || here->isBeforeInBlock(loop))
      return unsupported(access.op, "touches '")
             << tile.getName() << "', an accumulator of a loop that is " << how
             << "; supported are a fill with zero before the loop, products in it and what reads "
                "the sum behind it";
  }
  if (!zero)
    return unsupported(loop, "is ")
           << how << "; its accumulator '" << tile.getName() << "' must be filled with zero before";
  return success();
}

} // namespace

LogicalResult verifyDealtLoop(scf::ForOp loop, const std::string &how, int64_t ctas) {
  if (failed(verifyBody(loop, how)))
    return failure();
  for (AllocOp tile : accumulatorsOf(loop))
    if (failed(verifyAccumulator(tile, loop, how, ctas)))
      return failure();
  return success();
}

} // namespace sluice
