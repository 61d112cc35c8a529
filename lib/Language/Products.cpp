// Statements of the embedded language that multiply tiles.
#include "Dialect/Marks.h"
#include "Language/Recorder.h"
#include "Language/TileText.h"
#include "Program/BlockScales.h"

using namespace mlir;

namespace sluice::lang {

namespace marks = ir::marks;

Tile KernelBuilder::accumulator(DType type, Shape shape, std::string name, SourceLocation at) {
  Tile acc = tile(type, shape, std::move(name), at);
  fill(acc, 0, at);
  return acc;
}

/// Of a pair of CTAs each has its rows of d and a, and half of the columns of b; of 64 rows the
/// halves of d lie one below the other, and a in tensor memory twice.
static Shape ofPair(const Tile &d, const Tile &a, const Tile &b, bool aInTmem) {
  const bool halves = aInTmem ? d.cols() == b.cols() : a.rows() == 64;
  return halves ? Shape{128, b.cols()} : Shape{a.rows(), 2 * b.cols()};
}

/// What is wrong with a product; empty: nothing.
static std::string wrongProduct(const Tile &d, const Tile &a, const Tile &b, bool pair,
                                bool aInTmem) {
  const Shape product = pair ? ofPair(d, a, b, aInTmem) : Shape{a.rows(), b.cols()};
  if (a.cols() != b.rows())
    return "K extents differ: a is " + text(a.shape()) + ", b is " + text(b.shape()) +
           "; a product is d[M,N] += a[M,K] b[K,N] (transpose(b) exchanges rows and columns)";
  if (d.rows() != product.rows || d.cols() != product.cols)
    return "d is " + text(d.shape()) + ", but a b " + (pair ? "of a pair " : "") + "is " +
           text(product) + ": a is " + text(a.shape()) + ", b is " + text(b.shape());
  const auto small = [](DType t) { return isFloat(t) && byteSize(t) == 1; };
  if (a.type() != b.type() && !(small(a.type()) && small(b.type())))
    return "a is " + text(a.type()) + ", b is " + text(b.type()) + "; cast one of them";
  const bool integer = !isFloat(a.type()) && a.type() != DType::e2m1x2;
  if (integer ? d.type() != DType::i32 : d.type() != DType::f32)
    return "d is " + text(d.type()) + "; products of " + text(a.type()) + " accumulate in " +
           (integer ? "i32" : "f32");
  return "";
}

static bool isInTmem(Value tile) {
  return mlir::cast<ir::BufferType>(tile.getType()).getSpace() == Space::tmem;
}

/// What is wrong with the factors of a product's `lines` rows, or columns; empty: nothing.
static std::string wrongFactors(const Tile &factors, const Tile &a, DType type, int64_t lines,
                                bool inTmem) {
  const int64_t block = elementsOfBlock(a.type(), type);
  if (block == 0)
    return "no factors of " + text(type) + " scale blocks of " + text(a.type());
  const int64_t pieces = piecesOf(lines, a.cols(), block).count();
  const Shape shape = inTmem ? Shape{FactorPieces::lines, FactorPieces::bytes * pieces}
                             : Shape{FactorPieces::rows * pieces, FactorPieces::bytes};
  if (factors.type() == type && factors.rows() == shape.rows && factors.cols() == shape.cols)
    return "";
  return "factors of " + std::to_string(lines) + " are " + text(shape) + " " + text(type) +
         ", not " + text(factors.shape()) + " " + text(factors.type());
}

/// The operands of a product; empty, with the mistake recorded, where it is wrong. `scales`: the
/// factors of a and b, if any.
static SmallVector<Value> productOf(detail::Recorder &r, const Tile &d, const Tile &a,
                                    const Tile &b, ArrayRef<const Tile *> scales,
                                    SourceLocation at) {
  SmallVector<Value> operands;
  if (!r.open(at))
    return operands;
  SmallVector<const Tile *> tiles = {&d, &a, &b};
  tiles.append(scales.begin(), scales.end());
  for (const Tile *tile : tiles) {
    operands.push_back(r.use(tile->handle(), at));
    if (!operands.back())
      return {};
  }
  const bool pair = r.hasPairs && isInTmem(operands[0]);
  if (std::string wrong = wrongProduct(d, a, b, pair, isInTmem(operands[1])); !wrong.empty())
    return r.fail(at, "mma: " + wrong), SmallVector<Value>();
  for (size_t i = 0; i < scales.size(); ++i)
    if (std::string wrong = wrongFactors(*scales[i], a, scales[0]->type(), i ? d.cols() : d.rows(),
                                         isInTmem(operands[3 + i]));
        !wrong.empty())
      return r.fail(at, "mma: " + wrong), SmallVector<Value>();
  return operands;
}

/// By one thread of the role, for the pair where the grid has pairs.
static Operation *tcgen05(detail::Recorder &r, ArrayRef<Value> tiles, Value accumulates,
                          SourceLocation at) {
  if (!r.roles.inRole("a product in tensor memory", at))
    return nullptr;
  const bool scaled = tiles.size() > 3;
  auto product = ir::Tcgen05MmaOp::create(r.builder, r.at(at), tiles[0], tiles[1], tiles[2],
                                          scaled ? tiles[3] : Value(), scaled ? tiles[4] : Value(),
                                          accumulates);
  if (r.hasPairs)
    product.setCtas(2);
  return product;
}

/// By who multiplies the operands of `productOf`.
static void multiply(detail::Recorder &r, ArrayRef<Value> tiles, const MmaOptions &options,
                     SourceLocation at) {
  if (tiles.empty())
    return;
  Value accumulates;
  if (options.accumulates) {
    if (!r.roles.inRole("a product that accumulates where a condition says so", at))
      return;
    accumulates = r.use(*options.accumulates, at);
    if (!accumulates)
      return;
  }
  const bool scaled = tiles.size() > 3;
  const Value scalesA = scaled ? tiles[3] : Value(), scalesB = scaled ? tiles[4] : Value();
  Operation *product;
  if (isInTmem(tiles[0]))
    product = tcgen05(r, tiles, accumulates, at);
  else
    product = ir::MmaOp::create(r.builder, r.at(at), tiles[0], tiles[1], tiles[2], scalesA, scalesB,
                                accumulates);
  if (product && options.anyTiles)
    marks::anyTiles.set(product);
}

void KernelBuilder::mma(const Tile &d, const Tile &a, const Tile &b, MmaOptions options,
                        SourceLocation at) {
  multiply(*recorder_, productOf(*recorder_, d, a, b, {}, at), options, at);
}

void KernelBuilder::mma(const Tile &d, const Tile &a, const Tile &b, const Tile &scalesA,
                        const Tile &scalesB, MmaOptions options, SourceLocation at) {
  multiply(*recorder_, productOf(*recorder_, d, a, b, {&scalesA, &scalesB}, at), options, at);
}

void KernelBuilder::beginMma(const Tile &d, const Tile &a, const Tile &b, SourceLocation at) {
  auto &r = *recorder_;
  const auto tiles = productOf(r, d, a, b, {}, at);
  if (tiles.empty() || !r.roles.inWarps("a product that goes on by itself", at))
    return;
  auto loc = r.at(at);
  ir::WgmmaFenceOp::create(r.builder, loc);
  ir::WgmmaOp::create(r.builder, loc, tiles[0], tiles[1], tiles[2], /*accumulate=*/Value());
  ir::WgmmaCommitOp::create(r.builder, loc);
}

void KernelBuilder::waitMma(int64_t running, SourceLocation at) {
  auto &r = *recorder_;
  if (!r.open(at) || !r.roles.inWarps("a wait for products", at))
    return;
  if (running < 0 || running > 7)
    return r.fail(at, "leaves " + std::to_string(running) + " products running; 0 to 7");
  ir::WgmmaWaitOp::create(r.builder, r.at(at), running);
}

Tile KernelBuilder::product(const Tile &a, const Tile &b, std::string name, SourceLocation at) {
  const bool real = isFloat(a.type()) || a.type() == DType::e2m1x2;
  DType type = real ? DType::f32 : DType::i32;
  Tile d = accumulator(type, {a.rows(), b.cols()}, name.empty() ? "product" : name, at);
  mma(d, a, b, {}, at);
  return d;
}

} // namespace sluice::lang
