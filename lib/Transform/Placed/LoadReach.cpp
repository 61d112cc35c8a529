#include "Transform/Placed/LoadReach.h"

#include "Transform/KernelRanges.h"
#include "Transform/Placed/VectorInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
using mlir::OpBuilder;
using mlir::Value;
namespace arith = mlir::arith;

namespace {

llvm::ArrayRef<int64_t> boxOf(LoadOp load) {
  return load.getDestination().getType().getShape();
}

/// The dimension of the tile whose end the other coordinates of the box are counted to.
int lineOf(LoadOp load) {
  return boxOf(load)[0] > 1 && boxOf(load)[1] == 1 ? 0 : 1;
}

/// Dimensions of the tensor in which the box is one coordinate, but for that of `lineOf`.
std::vector<unsigned> coordinatesOf(LoadOp load) {
  auto tensor = load.getSource().getType();
  std::vector<unsigned> found;
  for (unsigned d = 0; d < unsigned(tensor.getRank()); ++d) {
    const auto is = [&](int along) { return d == tensor.dimensionOf(along); };
    const bool ofTile = (is(0) && boxOf(load)[0] > 1) || (is(1) && boxOf(load)[1] > 1);
    if (!ofTile && !is(lineOf(load)))
      found.push_back(d);
  }
  return found;
}

/// Whether the box ends within the tensor in every launch.
bool endsInside(LoadOp load, KernelRanges &ranges, unsigned dimension, int64_t length) {
  const int64_t extent = load.getSource().getType().getShape()[dimension];
  return !mlir::ShapedType::isDynamic(extent) &&
         ranges.of(load.getOffsets()[dimension]).most <= extent - length;
}

/// Elements of the tensor along a dimension of the tile (0: rows, 1: columns) from where the box
/// begins; none where its other coordinates name nothing.
Value createRest(OpBuilder &b, LoadOp load, int along) {
  auto loc = load.getLoc();
  KernelRanges ranges(load->getParentOfType<KernelOp>());
  const auto extent = [&](unsigned d) -> Value {
    return DimOp::create(b, loc, load.getSource(), d);
  };
  const unsigned dimension = load.getSource().getType().dimensionOf(along);
  Value rest = arith::SubIOp::create(b, loc, extent(dimension), load.getOffsets()[dimension]);
  for (unsigned d : coordinatesOf(load)) {
    if (endsInside(load, ranges, d, 1))
      continue;
    Value exists =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, load.getOffsets()[d], extent(d));
    rest = arith::SelectOp::create(b, loc, exists, rest, constantIndex(b, loc, 0));
  }
  return rest;
}

// ---- How createRest is told again -------------------------------------------------------------

bool isExtent(Value v, Value tensor, unsigned dimension) {
  const int64_t extent = mlir::cast<TensorType>(tensor.getType()).getShape()[dimension];
  llvm::APInt number;
  if (!mlir::ShapedType::isDynamic(extent) && mlir::matchPattern(v, mlir::m_ConstantInt(&number)))
    return number.getSExtValue() == extent;
  auto dim = v.getDefiningOp<DimOp>();
  return dim && dim.getTensor() == tensor && dim.getDimension() == dimension;
}

/// extent - offset
bool isDistance(Value v, LoadOp load, unsigned dimension) {
  const Value offset = load.getOffsets()[dimension];
  if (mlir::matchPattern(offset, mlir::m_Zero()) && isExtent(v, load.getSource(), dimension))
    return true;
  auto sub = v.getDefiningOp<arith::SubIOp>();
  return sub && sub.getRhs() == offset && isExtent(sub.getLhs(), load.getSource(), dimension);
}

/// offset < extent, or extent > offset
bool isExistence(Value v, LoadOp load, unsigned dimension) {
  using P = arith::CmpIPredicate;
  auto compared = v.getDefiningOp<arith::CmpIOp>();
  if (!compared || (compared.getPredicate() != P::slt && compared.getPredicate() != P::sgt))
    return false;
  const bool turned = compared.getPredicate() == P::sgt;
  const Value least = turned ? compared.getRhs() : compared.getLhs();
  const Value extent = turned ? compared.getLhs() : compared.getRhs();
  return least == load.getOffsets()[dimension] && isExtent(extent, load.getSource(), dimension);
}

/// Whether a limit is what `createRest` makes.
bool isRest(Value limit, LoadOp load, KernelRanges &ranges, int along) {
  std::vector<unsigned> asked;
  for (unsigned d : coordinatesOf(load))
    if (!endsInside(load, ranges, d, 1))
      asked.push_back(d);
  while (auto select = limit.getDefiningOp<arith::SelectOp>()) {
    if (!mlir::matchPattern(select.getFalseValue(), mlir::m_Zero()))
      return false;
    llvm::erase_if(asked, [&](unsigned d) { return isExistence(select.getCondition(), load, d); });
    limit = select.getTrueValue();
  }
  const bool all = asked.empty() || along != lineOf(load);
  return all && isDistance(limit, load, load.getSource().getType().dimensionOf(along));
}

/// In place: select(place along a dimension < limit, x, number). None: it is something else.
struct BoundedFill {
  int along;
  Value limit;
};
std::optional<BoundedFill> boundedFill(MapOp map) {
  if (map.getInputs().size() != 1 || map.getInputs() != map.getOutputs() || !map.getCoordinates())
    return std::nullopt;
  mlir::Block &body = map.getBody().front();
  auto select = body.getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto below = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!below || below.getPredicate() != arith::CmpIPredicate::slt ||
      select.getTrueValue() != body.getArgument(0) ||
      !mlir::matchPattern(select.getFalseValue(), mlir::m_Constant()) ||
      below.getRhs().getParentRegion() == &map.getBody())
    return std::nullopt;
  for (int along : {0, 1})
    if (below.getLhs() == body.getArgument(1 + along))
      return BoundedFill{along, below.getRhs()};
  return std::nullopt;
}

/// Whether a view begins where its tile does, so that places in both are the same.
bool isAtOrigin(Value view) {
  mlir::Operation *op = view.getDefiningOp();
  for (; isa_and_nonnull<SlotOp, SubviewOp>(op); op = op->getOperand(0).getDefiningOp())
    if (auto part = dyn_cast<SubviewOp>(op);
        part && !llvm::all_of(part.getOffsets(), [](Value offset) {
          return mlir::matchPattern(offset, mlir::m_Zero());
        }))
      return false;
  return isa_and_nonnull<AllocOp>(op);
}

bool isBox(Value view, llvm::ArrayRef<int64_t> shape) {
  return isAtOrigin(view) && mlir::cast<BufferType>(view.getType()).getShape() == shape;
}

/// The tile that a view has with rows and columns exchanged; null: it is none such.
TransposeOp turnedBy(Value view) {
  return view.getDefiningOp<TransposeOp>();
}
Value unturned(Value view) {
  auto turned = turnedBy(view);
  return turned ? turned.getBuffer() : view;
}

} // namespace

bool isCopyOf(MapOp map, LoadOp load) {
  if (!map || map.getInputs().size() != 1 || map.getOutputs().size() != 1)
    return false;
  const Value in = map.getInputs()[0], out = map.getOutputs()[0];
  mlir::Block &body = map.getBody().front();
  Value from = body.getTerminator()->getOperand(0);
  if (auto widened = from.getDefiningOp<arith::ExtFOp>())
    from = widened.getIn();
  const auto box = boxOf(load);
  const bool alike = bool(turnedBy(in)) == bool(turnedBy(load.getDestination()));
  return from == body.getArgument(0) && rootOf(in) != rootOf(out) && alike &&
         isAtOrigin(unturned(in)) && mlir::cast<BufferType>(in.getType()).getShape() == box &&
         isBox(out, box);
}

namespace {

/// Whether a read is a copy, behind which fills replace all that the load leaves before others
/// read it.
bool replacesRest(const TileAccess &read, LoadOp load, LoadReach reach) {
  auto copy = dyn_cast<MapOp>(read.op);
  if (!isCopyOf(copy, load))
    return false;
  KernelRanges ranges(load->getParentOfType<KernelOp>());
  bool others = false; // in front of the copy, or outside: they find what was replaced before
  for (const TileAccess &access : accessesOf(rootOf(copy.getOutputs()[0]))) {
    auto *here = ancestorIn(copy->getBlock(), access.op);
    if (!here || !copy->isBeforeInBlock(here)) {
      others |= access.op != copy;
      continue;
    }
    auto map = dyn_cast<MapOp>(access.op);
    const auto fill = map && here == map.getOperation() ? boundedFill(map) : std::nullopt;
    if (!fill || !isBox(access.view, boxOf(load)) ||
        !isRest(fill->limit, load, ranges, fill->along))
      return !reach.rows && !reach.columns;
    (fill->along == 0 ? reach.rows : reach.columns) = false;
  }
  return !others || (!reach.rows && !reach.columns);
}

} // namespace

bool liesInUb(AllocOp tile) {
  return tile && tile.getBuffer().getType().getSpace() == Space::ub;
}

LoadReach reachOf(LoadOp load) {
  KernelRanges ranges(load->getParentOfType<KernelOp>());
  auto tensor = load.getSource().getType();
  const auto over = [&](int along) {
    return !endsInside(load, ranges, tensor.dimensionOf(along), boxOf(load)[along]);
  };
  const int line = lineOf(load);
  LoadReach reach;
  reach.rows = (line == 0 || boxOf(load)[0] > 1) && over(0);
  reach.columns = line == 1 && over(1);
  for (unsigned d : coordinatesOf(load))
    (line == 0 ? reach.rows : reach.columns) |= !endsInside(load, ranges, d, 1);
  for (Value offset : load.getOffsets())
    reach.before |= ranges.of(offset).least < 0;
  return reach;
}

void replaceRest(OpBuilder &b, LoadOp load, Value tile, LoadReach reach) {
  if (reach.columns)
    fillColumnsFrom(b, load.getLoc(), tile, createRest(b, load, 1), false, 0);
  if (reach.rows)
    fillRowsFrom(b, load.getLoc(), tile, createRest(b, load, 0), 0);
}

bool leavesUnknown(LoadOp load) {
  AllocOp tile = rootOf(load.getDestination());
  if (!liesInUb(tile))
    return false;
  const LoadReach reach = reachOf(load);
  if (!reach.rows && !reach.columns && !reach.before)
    return false;
  const bool follows = !reach.before && isAtOrigin(unturned(load.getDestination()));
  return llvm::any_of(accessesOf(tile), [&](const TileAccess &access) {
    return access.reads && (!follows || !replacesRest(access, load, reach));
  });
}

} // namespace sluice
