// Statements of the embedded language that compute element by element: map, cast, reduce.
#include "Dialect/Marks.h"
#include "Language/Recorder.h"
#include "Language/TileText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace sluice::lang {
namespace {

using detail::Recorder;

/// Whether every input has the extents of `shape`, or 1 in their place.
bool broadcast(Recorder &r, const std::vector<Tile> &in, Shape shape, SourceLocation at) {
  for (const Tile &tile : in)
    if ((tile.rows() != 1 && tile.rows() != shape.rows) ||
        (tile.cols() != 1 && tile.cols() != shape.cols)) {
      r.fail(at, "map: input '" + r.nameOf(tile, "?") + "' of " + text(tile.shape()) +
                     " does not broadcast to " + text(shape));
      return false;
    }
  return true;
}

Shape widest(const std::vector<Tile> &in) {
  Shape shape = {1, 1};
  for (const Tile &tile : in)
    shape = {std::max(shape.rows, tile.rows()), std::max(shape.cols, tile.cols())};
  return shape;
}

bool use(Recorder &r, const std::vector<Tile> &tiles, SourceLocation at,
         SmallVectorImpl<Value> &values) {
  for (const Tile &tile : tiles)
    values.push_back(r.use(tile.handle(), at));
  return llvm::all_of(values, [](Value v) { return bool(v); });
}

/// Says so on the operations that can make use of it.
void allow(FastMath allowed, Block &body) {
  const auto put = [](arith::ArithFastMathInterface op, arith::FastMathFlags flag) {
    op->setAttr(op.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op.getContext(), flag));
  };
  for (Operation &op : body)
    if (allowed.approximate &&
        isa<math::TanhOp, math::ErfOp, math::Exp2Op, math::ExpOp, mlir::arith::DivFOp>(op))
      put(cast<arith::ArithFastMathInterface>(op), arith::FastMathFlags::afn);
    else if (allowed.contract && isa<arith::MulFOp>(op))
      put(cast<arith::ArithFastMathInterface>(op), arith::FastMathFlags::contract);
}

/// Runs the author's function once on symbolic elements; its result ends the body.
void writeBody(Recorder &r, Region &region, const std::vector<DType> &arguments, DType result,
               const detail::ElementBody &body, SourceLocation at) {
  OpBuilder::InsertionGuard guard(r.builder);
  Block &block = region.empty() ? region.emplaceBlock() : region.front();
  std::vector<Element> elements;
  for (DType type : arguments)
    elements.emplace_back(r.handleOf(block.addArgument(r.type(type), r.at(at))), type);
  r.builder.setInsertionPointToEnd(&block);
  r.inElementFunction = true;
  Element value = body(elements);
  r.inElementFunction = false;
  if (Value last = r.use(ElementAt(value, at), result))
    ir::YieldOp::create(r.builder, r.at(at), last);
  allow(r.fastMath, block);
}

void writeMap(Recorder &r, const std::vector<Tile> &in, ValueRange inputs, const Tile &out,
              Value output, bool coordinates, const detail::ElementBody &body, SourceLocation at) {
  std::vector<DType> arguments;
  for (const Tile &tile : in)
    arguments.push_back(tile.type());
  if (coordinates)
    arguments.insert(arguments.end(), 2, DType::index);
  auto map = ir::MapOp::create(r.builder, r.at(at), inputs, ValueRange(output), coordinates);
  writeBody(r, map.getBody(), arguments, out.type(), body, at);
}

} // namespace

void KernelBuilder::fastMath(FastMath allowed) {
  recorder_->fastMath = allowed;
}

Tile KernelBuilder::mapTiles(std::vector<Tile> in, DType type, bool coordinates,
                             const detail::ElementBody &body, std::string name, SourceLocation at) {
  auto &r = *recorder_;
  Shape shape = widest(in);
  Tile none(r.poison(), shape, type);
  SmallVector<Value> inputs;
  if (!r.open(at) || !use(r, in, at, inputs) || !broadcast(r, in, shape, at))
    return none;
  Value output = r.buffer(type, shape, 1, name, "map", at);
  if (!output)
    return none;
  Tile out(r.handleOf(output), shape, type);
  writeMap(r, in, inputs, out, output, coordinates, body, at);
  return out;
}

void KernelBuilder::updateTile(const Tile &out, std::vector<Tile> in, bool coordinates,
                               const detail::ElementBody &body, SourceLocation at) {
  auto &r = *recorder_;
  SmallVector<Value> inputs;
  Value output = r.open(at) ? r.use(out.handle(), at) : Value();
  if (output && use(r, in, at, inputs) && broadcast(r, in, out.shape(), at))
    writeMap(r, in, inputs, out, output, coordinates, body, at);
}

Tile KernelBuilder::cast(const Tile &tile, DType type, std::string name, SourceLocation at) {
  if (tile.type() == type)
    return tile;
  if (name.empty()) // such as acc_f16
    name = recorder_->nameOf(tile, "tile") + "_" + std::string(sluice::name(type));
  return mapTiles({tile}, type, false, detail::bodyOf<1>([](Element x) { return x; }), name, at);
}

Tile KernelBuilder::reduceTile(const Tile &in, int axis, double identity, DType type,
                               const detail::ElementBody &body, std::string name, SourceLocation at,
                               std::optional<int> across, FoldColumns into) {
  auto &r = *recorder_;
  Shape shape = {axis == 0 ? 1 : in.rows(), axis == 0 ? in.cols() : into.count};
  Tile none(r.poison(), shape, type);
  Value input = r.open(at) ? r.use(in.handle(), at) : Value();
  if (input && axis != 0 && axis != 1) {
    r.fail(at, "axis " + std::to_string(axis) + "; 0 folds columns, 1 folds rows");
    input = {};
  }
  const auto divide = [&](int64_t columns) {
    return into.count >= 1 && into.together >= 1 && columns % into.together == 0 &&
           columns / into.together % into.count == 0;
  };
  if (input && !divide(in.cols())) {
    r.fail(at, "a fold of " + std::to_string(in.cols()) + " columns into " +
                   std::to_string(into.count) + ", " + std::to_string(into.together) +
                   " together, which do not divide them");
    input = {};
  }
  Value output = input ? r.buffer(type, shape, 1, name, "fold", at) : Value();
  if (!output)
    return none;
  auto reduce = ir::ReduceOp::create(r.builder, r.at(at), ValueRange(input), ValueRange(output),
                                     axis, ArrayRef<double>(identity), into.together);
  if (across)
    ir::marks::across.set(reduce, *across);
  writeBody(r, reduce.getBody(), {type, in.type()}, type, body, at);
  return Tile(r.handleOf(output), shape, type);
}

/// CTAs of a cluster along a coordinate of the grid; 1: there is none.
static int64_t ctasAlong(Operation *inKernel, int coordinate) {
  int64_t ctas = 1;
  auto kernel = inKernel->getParentOfType<ir::KernelOp>();
  for (auto grid : kernel.getOps<ir::GridOp>())
    if (auto cluster = grid.getCluster(); cluster && coordinate < int(cluster->size()))
      ctas = (*cluster)[coordinate];
  return ctas;
}

std::vector<Tile> KernelBuilder::exchangeRows(const std::vector<Tile> &in,
                                              std::optional<int> across, SourceLocation at) {
  auto &r = *recorder_;
  SmallVector<Value> inputs, outputs;
  std::vector<Tile> all;
  for (const Tile &tile : in)
    all.emplace_back(r.poison(), Shape{1, tile.rows()}, tile.type());
  if (!r.open(at) || !use(r, in, at, inputs))
    return all;
  const int64_t ctas = across && !in.empty() ? ctasAlong(inputs[0].getDefiningOp(), *across) : 1;
  for (Tile &tile : all) {
    const size_t i = outputs.size();
    const Shape shape = {1, ctas * in[i].rows()};
    Value output = r.buffer(tile.type(), shape, 1, r.nameOf(in[i], "row") + "_of_all", "all", at);
    if (!output)
      return all;
    outputs.push_back(output);
    tile = Tile(r.handleOf(output), shape, tile.type());
  }
  for (auto [input, output] : llvm::zip(inputs, outputs))
    if (Value turned = ir::TransposeOp::create(r.builder, r.at(at), input)) {
      auto copy = ir::CopyOp::create(r.builder, r.at(at), turned, output);
      if (across)
        ir::marks::across.set(copy, *across);
    }
  return all;
}

std::vector<Tile> KernelBuilder::allRows(const std::vector<Tile> &in, SourceLocation at) {
  return exchangeRows(in, std::nullopt, at);
}

std::vector<Tile> KernelBuilder::allRowsAcross(int coordinate, const std::vector<Tile> &in,
                                               SourceLocation at) {
  return exchangeRows(in, coordinate, at);
}

void KernelBuilder::raw(const std::map<std::string, std::string> &texts, const RawUse &use,
                        SourceLocation at) {
  auto &r = *recorder_;
  if (!r.open(at))
    return;
  std::vector<Tile> tiles;
  SmallVector<StringRef> names;
  for (const auto *list : {&use.writes, &use.reads})
    for (const auto &[name, tile] : *list) {
      tiles.push_back(tile);
      names.push_back(name);
    }
  std::vector<Index> scalars;
  for (const auto &[name, scalar] : use.scalars) {
    scalars.push_back(scalar);
    names.push_back(name);
  }
  SmallVector<Value> operands, values;
  if (!sluice::lang::use(r, tiles, at, operands) || !r.use(scalars, at, values))
    return;
  SmallVector<NamedAttribute> byTarget;
  for (const auto &[target, text] : texts)
    byTarget.push_back(r.builder.getNamedAttr(target, r.builder.getStringAttr(text)));
  const size_t written = use.writes.size();
  auto op = ir::RawOp::create(r.builder, r.at(at), r.builder.getDictionaryAttr(byTarget),
                              ArrayRef(operands).take_front(written),
                              ArrayRef(operands).drop_front(written), values,
                              r.builder.getStrArrayAttr(names), use.async, use.divided);
  if (!use.model)
    return;
  std::vector<DType> arguments;
  for (const auto &[name, tile] : use.reads)
    arguments.push_back(tile.type());
  if (written != 1)
    return r.fail(at, "raw text with a model writes one tile, not " + std::to_string(written));
  writeBody(r, op.getModel(), arguments, use.writes[0].second.type(), use.model, at);
}

Tile KernelBuilder::rowMax(const Tile &in, std::string name, SourceLocation at) {
  return reduce(
      in, 1, -std::numeric_limits<double>::infinity(),
      [at](Element state, Element x) {
        return max({state, at}, {x, at});
      },
      std::move(name), at);
}
Tile KernelBuilder::rowSum(const Tile &in, std::string name, SourceLocation at) {
  return reduce(
      in, 1, 0, [at](Element state, Element x) { return ElementAt(state, at) + ElementAt(x, at); },
      std::move(name), at);
}

} // namespace sluice::lang
