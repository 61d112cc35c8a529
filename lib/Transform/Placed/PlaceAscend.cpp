// Tile -> placed for Ascend. Loaded operands go to L1 in fractals, accumulators to L0C; the copies
// L1 -> L0A/L0B are introduced here, split along K so that they fit with their slots. An operand
// that stays in L1 over the loop is copied once, before it.
#include "Dialect/Marks.h"
#include "Program/AscendCores.h"
#include "Transform/Cores.h"
#include "Transform/Passes.h"
#include "Transform/Placed/TurnedOperands.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>
#include <map>
#include <set>
#include <tuple>

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

bool isCast(MapOp map) {
  auto &body = map.getBody().front();
  auto yield = mlir::cast<YieldOp>(body.getTerminator());
  if (map.getInputs().size() != 1 || map.getOutputs().size() != 1 || map.getCoordinates())
    return false;
  mlir::Value result = yield.getValues()[0];
  auto *def = result.getDefiningOp();
  if (def && isa<arith::TruncFOp, arith::ExtFOp>(def))
    result = def->getOperand(0);
  return result == body.getArgument(0);
}

namespace {

// ---- Spaces -----------------------------------------------------------------------------------

/// Stores take the accumulator itself where only a cast stood between.
void foldCasts(KernelOp kernel) {
  std::vector<MapOp> maps;
  kernel.walk([&](MapOp map) { maps.push_back(map); });
  for (MapOp map : maps) {
    auto result = rootOf(map.getOutputs()[0]), source = rootOf(map.getInputs()[0]);
    auto accesses = accessesOf(result);
    if (!isCast(map) || !source || !isAccumulator(source) ||
        llvm::any_of(accesses, [&](const TileAccess &access) {
          return access.op != map && !isa<StoreOp>(access.op);
        }))
      continue;
    for (const TileAccess &access : accesses)
      if (auto store = dyn_cast<StoreOp>(access.op))
        store.getSourceMutable().assign(map.getInputs()[0]);
    map.erase();
    result.erase();
  }
}

LogicalResult placeInCore(AllocOp buffer, Target target) {
  auto type = buffer.getBuffer().getType();
  if (type.getSpace() != Space::unplaced)
    return success();
  for (const TileAccess &access : accessesOf(buffer)) {
    if (auto load = dyn_cast<LoadOp>(access.op)) {
      auto minor = minorOf(load.getSource().getType());
      if (!minor)
        return unsupported(load, "the contiguous dimension of the tensor is not in the tile");
      auto placed = BufferType::get(type.getContext(), type.getShape(), type.getElementType(),
                                    Space::l1, layoutInL1(buffer, *minor, target), *minor, 1);
      return retype(buffer, placed), success();
    }
    auto mma = dyn_cast<MmaOp>(access.op);
    if (mma && mma.getD() == access.view)
      return retype(buffer, type.in(Space::l0c, Layout::zN)), success();
  }
  return unsupported(buffer, "tile '")
         << buffer.getName()
         << "' is neither loaded nor the result of a product; nothing "
            "else has a place on "
         << targetOf(buffer) << " yet";
}

// ---- L0 ---------------------------------------------------------------------------------------

/// One operand of a product on its way to L0A or L0B.
struct Operand {
  mlir::Value view; // [M,K] or [K,N] in L1
  Space space;
  Layout layout; // of its copy
  int kDim;
  bool resident;
  int64_t slots;
  BufferType type(int64_t k) const {
    auto from = mlir::cast<BufferType>(view.getType());
    llvm::SmallVector<int64_t> shape(from.getShape());
    shape[kDim] = k;
    return BufferType::get(from.getContext(), shape, from.getElementType(), space, layout, 1, 1);
  }
};

int64_t slotsAskedFor(MmaOp mma, Space space) {
  for (auto loop : loopsAround(mma, mma->getParentOfType<KernelOp>()))
    if (auto slots = marks::slots.of(loop))
      if (auto n = slots.getAs<mlir::IntegerAttr>(sluice::name(space).data()))
        return n.getInt();
  return 2;
}

/// Whether a tile has its value before the loop or branch that `op` is in begins.
bool isFilledBefore(AllocOp tile, mlir::Operation *op) {
  mlir::Operation *around = ancestorIn(tile->getBlock(), op);
  return llvm::all_of(accessesOf(tile), [&](const TileAccess &access) {
    return !access.writes || ancestorIn(tile->getBlock(), access.op)->isBeforeInBlock(around);
  });
}

/// A whole tile, or a whole tile transposed.
bool isWhole(mlir::Value view) {
  auto turned = view.getDefiningOp<TransposeOp>();
  return (turned ? turned.getBuffer() : view).getDefiningOp<AllocOp>() != nullptr;
}

/// Declared outside the block of the product, and small enough to stay in L0 whole.
bool isResident(MmaOp mma, mlir::Value view, mlir::Value other, int64_t capacity) {
  auto root = rootOf(view), otherRoot = rootOf(other);
  return root && otherRoot && isWhole(view) && root->getBlock() != mma->getBlock() &&
         otherRoot->getBlock() == mma->getBlock() && isFilledBefore(root, mma) &&
         *byteSizeOf(mlir::cast<BufferType>(view.getType())) <= capacity;
}

/// What is there of L0A or L0B for each operand that does not stay there.
using Room = std::map<Space, int64_t>;

/// Columns of A, rows of B come in these: whole fractals, and 16 of f32 (Mmad's kDirectionAlign
/// says otherwise how 8 are padded).
int64_t granuleOfK(MmaOp mma) {
  return std::max<int64_t>(16, 32 / byteSize(*dtypeOf(mma.getA().getType().getElementType())));
}

/// Largest multiple of `granule` that divides K and with which every slot fits.
int64_t splitK(int64_t k, int64_t granule, llvm::ArrayRef<Operand> operands, const Room &room) {
  for (int64_t part = k; part >= granule; part -= granule) {
    bool fits = k % part == 0;
    for (const Operand &o : operands)
      if (!o.resident)
        fits &= o.slots * *byteSizeOf(o.type(part)) <= room.at(o.space);
    if (fits)
      return part;
  }
  return 0;
}

AllocOp createL0(mlir::OpBuilder &b, MmaOp mma, const Operand &o, BufferType type) {
  std::string name = rootOf(o.view).getName().str() + (o.space == Space::l0a ? "_l0a" : "_l0b");
  return AllocOp::create(b, mma.getLoc(), type, name, mlir::IntegerAttr());
}

/// An operand that stays, and how products read it: they share one copy.
struct Resident {
  AllocOp tile;
  bool turned;
  Space space;
  explicit Resident(const Operand &o)
      : tile(rootOf(o.view)), turned(o.view.getDefiningOp<TransposeOp>()), space(o.space) {}
  bool operator<(const Resident &other) const { return key() < other.key(); }

private:
  std::tuple<const void *, bool, Space> key() const {
    return {tile.getAsOpaquePointer(), turned, space};
  }
};
/// Its copy, and the length of its parts along K. Mmad takes fractals that lie one behind the
/// other: where those of L0A lie row by row (zZ), the parts lie below each other, a tile of `part`
/// columns; else parts are columns of fractals, and in L0B rows, anyway.
struct ResidentCopy {
  mlir::Value tile;
  int64_t part = 0;
};
using Residents = std::map<Resident, ResidentCopy>;

mlir::Value boxOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, int dimension,
                  int64_t length, mlir::Value first) {
  auto type = mlir::cast<BufferType>(tile.getType());
  if (type.getShape()[dimension] == length)
    return tile;
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape[dimension] = length;
  mlir::Value zero = constantIndex(b, loc, 0);
  llvm::SmallVector<mlir::Value> offsets = {zero, zero};
  offsets[dimension] = first;
  return SubviewOp::create(b, loc, type.withShape(shape), tile, offsets);
}

mlir::Value copyPart(mlir::OpBuilder &b, MmaOp mma, const Operand &o, int64_t part,
                     mlir::Value kOffset) {
  auto loc = mma.getLoc();
  auto buffer = createL0(b, mma, o, o.type(part));
  CopyOp::create(b, loc, boxOf(b, loc, o.view, o.kDim, part, kOffset), buffer.getBuffer());
  return buffer.getBuffer();
}

/// The whole operand, once, right after it has been loaded.
mlir::Value copyResident(MmaOp mma, const Operand &o, int64_t part) {
  auto root = rootOf(o.view);
  mlir::Operation *last = root;
  for (const TileAccess &access : accessesOf(root))
    if (access.writes)
      last = ancestorIn(root->getBlock(), access.op);
  mlir::OpBuilder b(root->getContext());
  b.setInsertionPointAfter(last);
  auto loc = mma.getLoc();
  mlir::Value view = root.getBuffer(); // the view may be made inside the loop; make it again here
  if (o.view.getDefiningOp<TransposeOp>())
    view = TransposeOp::create(b, loc, root.getBuffer());
  const auto shape = mlir::cast<BufferType>(view.getType()).getShape();
  const int64_t k = shape[o.kDim], rows = shape[0];
  const bool stacked = o.layout == Layout::zZ && part != k;
  auto type = stacked ? o.type(part).withShape({k / part * rows, part}) : o.type(k);
  auto buffer = createL0(b, mma, o, type);
  marks::resident.set(buffer);
  for (int64_t i = 0; i < (stacked ? k / part : 1); ++i) {
    mlir::Value from =
        stacked ? boxOf(b, loc, view, o.kDim, part, constantIndex(b, loc, i * part)) : view;
    mlir::Value to = boxOf(b, loc, buffer.getBuffer(), 0, stacked ? rows : type.getShape()[0],
                           constantIndex(b, loc, i * rows));
    CopyOp::create(b, loc, from, to);
  }
  return buffer.getBuffer();
}

/// What a product takes of it from `kOffset` on.
mlir::Value partOf(mlir::OpBuilder &b, MmaOp mma, const ResidentCopy &copy, const Operand &o,
                   int64_t part, mlir::Value kOffset) {
  auto loc = mma.getLoc();
  if (o.layout != Layout::zZ)
    return boxOf(b, loc, copy.tile, o.kDim, part, kOffset);
  const int64_t rows = mlir::cast<BufferType>(o.view.getType()).getShape()[0];
  if (mlir::cast<BufferType>(copy.tile.getType()).getShape()[0] == rows)
    return copy.tile;
  mlir::Value parts = arith::DivSIOp::create(b, loc, kOffset, constantIndex(b, loc, part));
  mlir::Value first = arith::MulIOp::create(b, loc, parts, constantIndex(b, loc, rows));
  return boxOf(b, loc, copy.tile, 0, rows, first);
}

/// Accumulates also from the second part of K on.
mlir::Value alsoLater(mlir::OpBuilder &b, mlir::Location loc, mlir::Value accumulate,
                      mlir::Value part) {
  if (!accumulate)
    return accumulate;
  mlir::Value later =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, part, constantIndex(b, loc, 0));
  return arith::OrIOp::create(b, loc, accumulate, later);
}

std::array<Operand, 2> operandsOf(MmaOp mma, const Arch &arch) {
  return {Operand{mma.getA(), Space::l0a, layoutOfL0a(arch.target), 1,
                  isResident(mma, mma.getA(), mma.getB(), arch.l0aBytes),
                  slotsAskedFor(mma, Space::l0a)},
          Operand{mma.getB(), Space::l0b, Layout::nZ, 0,
                  isResident(mma, mma.getB(), mma.getA(), arch.l0bBytes),
                  slotsAskedFor(mma, Space::l0b)}};
}

/// Equal shares of what operands leave that stay in L0.
Room roomFor(llvm::ArrayRef<MmaOp> products, const Arch &arch) {
  Room room = {{Space::l0a, arch.l0aBytes}, {Space::l0b, arch.l0bBytes}}, sharers;
  std::set<Resident> residents;
  for (MmaOp mma : products)
    for (const Operand &o : operandsOf(mma, arch))
      if (!o.resident)
        ++sharers[o.space];
      else if (residents.insert(Resident(o)).second)
        room[o.space] -= *byteSizeOf(mlir::cast<BufferType>(o.view.getType()));
  for (auto &[space, bytes] : room)
    bytes /= std::max<int64_t>(1, sharers[space]);
  return room;
}

LogicalResult splitProduct(MmaOp mma, const Arch &arch, const Room &room, Residents &residents) {
  auto a = mma.getA().getType(), b = mma.getB().getType();
  int64_t m = a.getShape()[0], k = a.getShape()[1], n = b.getShape()[1];
  const int64_t granule = granuleOfK(mma);
  if (m % 16 || n % 16 || k % granule)
    return breaks("R29", mma, "tile ")
           << m << "x" << n << "x" << k << ": the cube unit takes multiples of 16"
           << (granule > 16 ? ", along K of " + std::to_string(granule) : "");
  if (failed(verifySquares(mma)))
    return failure();
  auto operands = operandsOf(mma, arch);
  int64_t part = splitK(k, granule, operands, room);
  if (!part)
    return breaks("R16", mma, "tile ")
           << m << "x" << n << ": not even a K of " << granule << " fits into L0A and L0B "
           << "with " << operands[0].slots << " and " << operands[1].slots
           << " slots; take a smaller tile or fewer slots";
  ResidentCopy kept[2];
  for (int i : {0, 1})
    if (operands[i].resident) {
      ResidentCopy &copy = residents[Resident(operands[i])];
      if (!copy.tile)
        copy = {copyResident(mma, operands[i], part), part};
      if (copy.part != part && operands[i].layout == Layout::zZ)
        return unsupported(mma, "tile '")
               << rootOf(operands[i].view).getName() << "' stays in L0A in parts of " << copy.part
               << " along K, and another product takes " << part
               << "; give both products the same shapes";
      kept[i] = copy;
    }
  mlir::OpBuilder builder(mma);
  auto loc = mma.getLoc();
  mlir::Value kOffset = constantIndex(builder, loc, 0), accumulate = mma.getAccumulate();
  if (part != k) {
    auto loop = scf::ForOp::create(builder, loc, kOffset, constantIndex(builder, loc, k),
                                   constantIndex(builder, loc, part));
    marks::name.set(loop, "kk");
    if (auto outer = dyn_cast<scf::ForOp>(mma->getParentOp()))
      if (auto slots = marks::slots.of(outer))
        marks::slots.set(loop, slots);
    mma->moveBefore(loop.getBody()->getTerminator());
    builder.setInsertionPoint(mma);
    kOffset = loop.getInductionVar();
    accumulate = alsoLater(builder, loc, accumulate, kOffset);
  }
  mlir::Value parts[2];
  for (int i : {0, 1})
    parts[i] = kept[i].tile ? partOf(builder, mma, kept[i], operands[i], part, kOffset)
                            : copyPart(builder, mma, operands[i], part, kOffset);
  MmaOp::create(builder, loc, mma.getD(), parts[0], parts[1], accumulate)
      ->setDiscardableAttrs(mma->getDiscardableAttrDictionary());
  mma.erase();
  return success();
}

/// Zeros that no first product stands for: nothing but products writes L0C.
LogicalResult verifyNoZeroFills(KernelOp kernel) {
  const auto inLoop = [](FillOp fill, const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && mma.getD() == access.view && !mma.getAccumulate() &&
           isa_and_nonnull<scf::ForOp>(fill->getBlock()->findAncestorOpInBlock(*mma));
  };
  LogicalResult result = success();
  kernel.walk([&](FillOp fill) {
    AllocOp tile = rootOf(fill.getDestination());
    if (failed(result) || !tile || !fill.getValue().isZero())
      return;
    if (llvm::any_of(accessesOf(tile), [&](const TileAccess &a) { return inLoop(fill, a); }))
      result = unsupported(fill, "fills '")
               << tile.getName()
               << "', whose products stand in a loop to which an argument or data "
               << "may give no trips; only products write L0C: count the trips by extents";
  });
  return result;
}

} // namespace

LogicalResult placeAscend(KernelOp kernel, const Arch &arch) {
  dropCachePolicies(kernel);
  foldCasts(kernel);
  const auto place = [&](AllocOp buffer) { return placeInCore(buffer, arch.target); };
  if (failed(placeElementFunctions(kernel)) || failed(verifyNoZeroFills(kernel)) ||
      failed(forEach<AllocOp>(kernel, place)))
    return failure();
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp op) { products.push_back(op); });
  const Room room = roomFor(products, arch);
  Residents residents;
  for (MmaOp mma : products)
    if (failed(splitProduct(mma, arch, room, residents)))
      return failure();
  return success();
}

} // namespace sluice
