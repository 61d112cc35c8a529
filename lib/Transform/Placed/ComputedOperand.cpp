#include "Transform/Placed/ComputedOperand.h"

#include "Dialect/Marks.h"
#include "Transform/Pipeline/FactorSlots.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

/// The same view of `shared` that a product has of `tile`; null: it takes a part of it.
mlir::Value sameView(mlir::OpBuilder &b, mlir::Value view, AllocOp tile, AllocOp shared) {
  if (view == tile.getBuffer())
    return shared.getBuffer();
  auto turned = view.getDefiningOp<TransposeOp>();
  if (!turned || turned.getBuffer() != tile.getBuffer())
    return {};
  return TransposeOp::create(b, view.getLoc(), shared.getBuffer().getType().transposed(),
                             shared.getBuffer());
}

bool isOperandB(const TileAccess &access) {
  auto mma = dyn_cast<MmaOp>(access.op);
  return mma && mma.getB() == access.view;
}

bool isElsewhere(const TileAccess &access, llvm::StringRef holder) {
  return access.reads && !isa<StoreOp>(access.op) && roleFor(access.op) != holder;
}

/// The role that computes a tile: who writes it, all but fills, which are of who goes on with it.
llvm::StringRef computerOf(AllocOp tile) {
  for (const TileAccess &access : accessesOf(tile))
    if (access.writes && !isa<FillOp>(access.op))
      return roleFor(access.op);
  return holderOf(tile);
}

mlir::LogicalResult refuseRefill(const TileAccess &access, AllocOp tile, const TileAccess &taker) {
  auto diagnostic = unsupported(access.op, "fills tile '") << tile.getName();
  if (isOperandB(taker))
    diagnostic << "' behind a product that takes it as b";
  else
    diagnostic << "' behind a statement in which role '" << roleFor(taker.op) << "' reads it";
  return diagnostic << "; give each value its own tile, declared where it is filled";
}

/// The statement of the tile's block in front of which it is whole; null, and a diagnostic, where
/// something fills it behind who takes it from shared memory.
mlir::Operation *firstTaker(AllocOp tile, llvm::ArrayRef<TileAccess> takers) {
  mlir::Block *block = tile->getBlock();
  auto *first = ancestorIn(block, takers.front().op);
  for (const TileAccess &access : accessesOf(tile))
    if (access.writes && !ancestorIn(block, access.op)->isBeforeInBlock(first))
      return (void)refuseRefill(access, tile, takers.front()), nullptr;
  return first;
}

mlir::LogicalResult refusePart(const TileAccess &access, AllocOp tile) {
  auto diagnostic = unsupported(access.op, "takes a part of tile '") << tile.getName();
  if (isOperandB(access))
    diagnostic << "', which is computed, as b";
  else
    diagnostic << "', or turns it, which role '" << computerOf(tile) << "' computes";
  return diagnostic << "; make the part a tile of its own";
}

/// Those who take the tile from shared memory, in program order.
std::vector<TileAccess> takersOf(AllocOp tile, llvm::StringRef holder) {
  std::vector<TileAccess> takers;
  for (const TileAccess &access : accessesOf(tile))
    if (isOperandB(access) || isElsewhere(access, holder))
      takers.push_back(access);
  return takers;
}

/// The taker reads the copy.
mlir::LogicalResult takeFrom(AllocOp shared, const TileAccess &access, AllocOp tile) {
  mlir::OpBuilder b(access.op);
  mlir::Value view = sameView(b, access.view, tile, shared);
  if (!view || (view != shared.getBuffer() && !isa<MmaOp>(access.op)))
    return refusePart(access, tile);
  access.op->replaceUsesOfWith(access.view, view);
  return mlir::success();
}

/// Whether the tile is the same from one statement to a later one of its block.
bool isKept(AllocOp tile, mlir::Operation *from, mlir::Operation *to) {
  return from->getBlock() == to->getBlock() &&
         llvm::none_of(accessesOf(tile), [&](const TileAccess &access) {
           auto *here = ancestorIn(from->getBlock(), access.op);
           return access.writes && here && from->isBeforeInBlock(here) && here->isBeforeInBlock(to);
         });
}

} // namespace

bool isReadElsewhere(AllocOp tile) {
  const llvm::StringRef holder = computerOf(tile);
  return hasNamedRoles(tile->getParentOfType<KernelOp>()) &&
         llvm::any_of(accessesOf(tile),
                      [&](const TileAccess &access) { return isElsewhere(access, holder); });
}

mlir::LogicalResult passThrough(AllocOp tile, AllocOp shared) {
  const std::string holder = computerOf(tile).str();
  const std::vector<TileAccess> takers = takersOf(tile, holder);
  auto *first = firstTaker(tile, takers);
  if (!first)
    return mlir::failure();
  for (const TileAccess &access : takers)
    if (mlir::failed(takeFrom(shared, access, tile)))
      return mlir::failure();
  mlir::OpBuilder b(first);
  putInRole(CopyOp::create(b, first->getLoc(), tile.getBuffer(), shared.getBuffer()), holder);
  return mlir::success();
}

bool isOperandOfLanes(AllocOp tile) {
  auto type = tile.getBuffer().getType();
  const int64_t rows = type.getShape()[0];
  return (rows == 128 || rows == 64) && byteSize(*dtypeOf(type.getElementType())) == 2 &&
         llvm::all_of(takersOf(tile, computerOf(tile)), [&](const TileAccess &access) {
           auto mma = dyn_cast<MmaOp>(access.op);
           return mma && mma.getA() == tile.getBuffer() && mma.getB() != access.view &&
                  !marks::pair.on(mma);
         });
}

bool isInLanes(AllocOp copy) {
  return copy.getBuffer().getType().getSpace() == Space::tmem && !isSum(copy) &&
         !holdsFactors(copy);
}

bool moveOperandsToShared(KernelOp kernel) {
  bool moved = false;
  kernel.walk([&](AllocOp copy) {
    if (!isInLanes(copy))
      return;
    retype(copy, swizzled(copy.getBuffer().getType(), 1));
    moved = true;
  });
  return moved;
}

mlir::LogicalResult handToTakers(AllocOp tile, BufferType type) {
  const std::string holder = computerOf(tile).str(), name = tile.getName().str() + "_handed";
  AllocOp handed;
  CopyOp copy;
  int copies = 0;
  for (const TileAccess &access : takersOf(tile, holder)) {
    if (!copy || !isKept(tile, copy, access.op)) {
      mlir::OpBuilder b(access.op);
      const std::string number = ++copies > 1 ? std::to_string(copies) : "";
      handed = AllocOp::create(b, tile.getLoc(), type, name + number, mlir::IntegerAttr());
      copy = CopyOp::create(b, access.op->getLoc(), tile.getBuffer(), handed.getBuffer());
      putInRole(copy, holder);
    }
    if (mlir::failed(takeFrom(handed, access, tile)))
      return mlir::failure();
  }
  return mlir::success();
}

bool isHandedOn(AllocOp buffer) {
  if (buffer.getBuffer().getType().getSpace() != Space::smem || isWrittenThenStored(buffer))
    return false;
  llvm::StringRef filler;
  bool copied = false, elsewhere = false;
  for (const TileAccess &access : accessesOf(buffer)) {
    auto copy = dyn_cast<CopyOp>(access.op);
    if (access.writes && (!copy || copy.getSource().getType().getSpace() != Space::reg))
      return false;
    copied |= access.writes;
    filler = access.writes ? roleFor(access.op) : filler;
  }
  for (const TileAccess &access : accessesOf(buffer))
    elsewhere |= !access.writes && roleFor(access.op) != filler;
  return copied && elsewhere;
}

bool isComputedOperand(AllocOp buffer) {
  if (buffer.getBuffer().getType().getSpace() != Space::smem)
    return false;
  bool copied = false, taken = false;
  for (const TileAccess &access : accessesOf(buffer)) {
    auto copy = dyn_cast<CopyOp>(access.op);
    const bool gathers = isa<ClusterGatherOp>(access.op);
    if (!copy && !gathers && !isa<MmaOp>(access.op))
      return false;
    copied |= gathers;
    copied |= copy && access.writes && copy.getSource().getType().getSpace() == Space::reg;
    taken |= access.reads;
  }
  return copied && taken;
}

} // namespace sluice
