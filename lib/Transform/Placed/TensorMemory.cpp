// Tile level, sm_100a: a role of one warp multiplies, and one of four takes sums out of tensor
// memory and goes on with them. All other steps are those of sm_90a; what these would lower to
// something else is refused by name. Kernels without products are as for sm_90a.
#include "Transform/Placed/TensorMemory.h"

#include "Dialect/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/BlockFactors.h"
#include "Transform/Placed/Halves.h"
#include "Transform/Placed/HeldSums.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/SumParts.h"
#include "Transform/Placed/SumsInPlace.h"
#include "Transform/Refusal.h"
#include "Transform/Tile/Pairs.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

namespace {

constexpr llvm::StringLiteral epilogue = "epilogue";

/// What this target does not lower yet; empty: it does.
std::string notLowered(mlir::Operation *op) {
  for (const llvm::StringRef mark :
       {marks::turns.name, marks::stream.name, marks::loadAhead.name, marks::inTurn.name,
        marks::inRole.name, marks::loadedBy.name, marks::across.name, marks::alternate.name,
        marks::ctasPerSm.name})
    if (op->hasAttr(mark))
      return mark.str();
  const bool known =
      isa<AllocOp, LoadOp, StoreOp, FillOp, MapOp, ReduceOp, MmaOp, DimOp, GridOp, AssumeOp,
          YieldOp, TransposeOp, UniformOp, ClusterRankOp, ClipOp, ScalarLoadOp, ClusterSumOp,
          mlir::scf::ForOp, mlir::scf::IfOp, mlir::scf::YieldOp>(op);
  if (auto part = dyn_cast<SubviewOp>(op); part && areFactors(rootOf(part.getView())))
    return ""; // of the factors of several times 128 columns
  const bool scalar = op->getDialect() && (op->getDialect()->getNamespace() == "arith" ||
                                           op->getDialect()->getNamespace() == "math");
  return known || scalar ? "" : "'" + op->getName().getStringRef().str() + "'";
}

LogicalResult verifyLowered(KernelOp kernel) {
  if (marks::roles.on(kernel))
    return unsupported(kernel, "sluice.roles is not lowered for sm_100a yet; leave it out");
  const auto found = kernel.walk([&](mlir::Operation *op) {
    const std::string what = op == kernel ? "" : notLowered(op);
    if (what.empty())
      return mlir::WalkResult::advance();
    unsupported(op, "") << what << " is not lowered for sm_100a yet";
    return mlir::WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

bool isLoadedAlone(AllocOp tile) {
  return llvm::all_of(accessesOf(tile), [](const TileAccess &access) {
    return !access.writes || isa<LoadOp>(access.op);
  });
}

/// Of a loaded tile: whether element functions read it with sums, as vectors and residuals are.
LogicalResult verifyLoadedBeside(AllocOp tile) {
  for (const TileAccess &access : accessesOf(tile))
    if (!isa<LoadOp, MapOp>(access.op) ||
        (isa<MapOp>(access.op) && access.view != tile.getBuffer()))
      return unsupported(access.op, "tile '")
             << tile.getName() << "' is loaded and not only multiplied, or read by maps as it is, "
             << "which is not lowered for sm_100a yet";
  return success();
}

/// Of a tile that a product multiplies: it is loaded for that alone, or computed.
LogicalResult verifyMultiplied(AllocOp tile) {
  const bool loaded = isLoadedAlone(tile);
  for (const TileAccess &access : accessesOf(tile)) {
    if (!loaded && isa<LoadOp>(access.op))
      return unsupported(access.op, "tile '")
             << tile.getName() << "' is loaded, computed on and multiplied, which is not lowered "
             << "for sm_100a yet; compute a tile of its own";
    if (loaded && !isa<LoadOp, MmaOp>(access.op))
      return unsupported(tile, "tile '")
             << tile.getName() << "' is loaded and not only multiplied, "
             << "which is not lowered for sm_100a yet";
  }
  return success();
}

/// Of a tile that is computed: each thread has its row; a row for all is of none.
LogicalResult verifyComputed(AllocOp tile) {
  auto type = tile.getBuffer().getType();
  if (type.getShape()[0] == 1)
    return unsupported(tile, "tile '")
           << tile.getName() << "' is a computed row, which is not lowered for sm_100a yet";
  if (type.getShape()[1] == 1 && byteSize(*dtypeOf(type.getElementType())) != 4)
    return unsupported(tile, "tile '")
           << tile.getName() << "' has a number of " << type.getElementType()
           << " a row, which is not lowered for sm_100a yet; compute f32";
  return success();
}

/// Tiles are loaded for products, or for element functions of sums; only computed tiles are stored.
LogicalResult verifyTile(AllocOp tile) {
  bool loaded = false, multiplied = false;
  for (const TileAccess &access : accessesOf(tile)) {
    loaded |= isa<LoadOp>(access.op);
    auto mma = dyn_cast<MmaOp>(access.op);
    multiplied |= mma && mma.getD() != access.view;
  }
  if (multiplied)
    return verifyMultiplied(tile);
  return loaded ? verifyLoadedBeside(tile) : verifyComputed(tile);
}

bool isForProduct(LoadOp load) {
  return llvm::any_of(accessesOf(rootOf(load.getDestination())),
                      [](const TileAccess &access) { return isa<MmaOp>(access.op); });
}

/// Who reads a sum takes a copy of it, in registers: of parts, or of the whole.
void takeOut(AllocOp sum) {
  std::vector<mlir::OpOperand *> readers;
  for (mlir::OpOperand &use : sum.getBuffer().getUses())
    if (!isa<MmaOp, CopyOp, FillOp>(use.getOwner()))
      readers.push_back(&use);
  llvm::SetVector<mlir::Operation *> byParts;
  for (mlir::OpOperand *use : readers)
    if (auto map = dyn_cast<MapOp>(use->getOwner()); map && hasSumParts(map, sum))
      byParts.insert(map);
  std::erase_if(readers, [&](mlir::OpOperand *use) { return byParts.contains(use->getOwner()); });
  for (mlir::Operation *map : byParts)
    mapSumParts(cast<MapOp>(map), sum);
  if (readers.empty())
    return;
  mlir::Operation *first = readers.front()->getOwner();
  for (mlir::OpOperand *use : readers)
    if (use->getOwner()->isBeforeInBlock(first))
      first = use->getOwner();
  mlir::OpBuilder b(first);
  auto held = AllocOp::create(b, sum.getLoc(), sum.getBuffer().getType(),
                              sum.getName().str() + "_held", mlir::IntegerAttr());
  CopyOp::create(b, first->getLoc(), sum.getBuffer(), held.getBuffer());
  for (mlir::OpOperand *use : readers)
    use->set(held.getBuffer());
}

} // namespace

bool isForTensorMemory(KernelOp kernel) {
  if (kernel.getTarget() != llvm::StringRef(name(Target::sm_100a).data()))
    return false;
  const auto found = kernel.walk([](mlir::Operation *op) {
    return isa<MmaOp, Tcgen05MmaOp>(op) ? mlir::WalkResult::interrupt()
                                        : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

BufferType inTensorMemory(BufferType type) {
  return type.in(Space::tmem, Layout::row);
}

bool isSum(AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && mma.getD() == access.view;
  });
}

LogicalResult verifyTensorMemoryProduct(MmaOp mma) {
  auto d = mma.getD().getType(), a = mma.getA().getType();
  const int64_t m = d.getShape()[0], n = d.getShape()[1], k = a.getShape()[1];
  const bool pair = marks::pair.on(mma); // pairProducts has looked at its shape
  const DType type = *dtypeOf(a.getElementType());
  if (!isMultiplied(type))
    return unsupported(mma, "tcgen05.mma on ")
           << a.getElementType() << " is not lowered; use f16, bf16, tf32, e4m3, e5m2 or s8";
  if (m != 64 && m != 128)
    return unsupported(mma, "tile has ")
           << m << " rows; products of 64 and of 128 rows are lowered for sm_100a";
  const int64_t by = m == 128 || (type == DType::s8 && n > 32) ? 16 : 8;
  if (!pair && (n % by || n > 256))
    return breaks("R43", mma, "tile has ") << n << " columns; tcgen05.mma of " << m
                                           << " rows takes a multiple of " << by << " up to 256";
  if (const int64_t step = 32 / byteSize(type); k % step)
    return breaks("R43", mma, "a step has K = ")
           << k << "; tcgen05.mma takes a multiple of " << step << " for " << name(type).data();
  return success();
}

/// Tiles become products in tensor memory, and copies of them in registers.
static LogicalResult takeSumsOut(KernelOp kernel) {
  std::vector<AllocOp> sums, products, inPlace;
  kernel.walk([&](AllocOp tile) {
    if (isSum(tile))
      sums.push_back(tile);
  });
  for (AllocOp sum : sums) {
    if (!isComputedOn(sum))
      products.push_back(sum);
    else if (staysInPlace(sum))
      inPlace.push_back(sum);
    else if (failed(holdSum(sum, products)))
      return failure();
  }
  llvm::for_each(products, takeOut);
  llvm::for_each(inPlace, takeOut);
  llvm::for_each(inPlace, fillInPlace);
  return success();
}

/// Of what four warps do, a row in each thread, and no role is named for yet: that of what it
/// shares tiles with.
static mlir::StringAttr roleOfNeighbours(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    if (AllocOp tile = isa<BufferType>(operand.getType()) ? rootOf(operand) : AllocOp())
      for (const TileAccess &access : accessesOf(tile))
        if (auto role = marks::inRole.of(access.op))
          return role;
  return {};
}

/// What stands alone goes to `epilogue`.
static void nameRoles(KernelOp kernel) {
  std::vector<mlir::Operation *> unnamed;
  kernel.walk([&](mlir::Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    if ((isa<MapOp, ReduceOp, CopyOp, FillOp, ClusterSumOp>(op) || (load && !isForProduct(load))) &&
        !marks::inRole.on(op))
      unnamed.push_back(op);
  });
  for (bool changed = true; changed;)
    changed = std::erase_if(unnamed, [](mlir::Operation *op) {
                auto role = roleOfNeighbours(op);
                if (role)
                  marks::inRole.set(op, role);
                return bool(role);
              }) > 0;
  for (mlir::Operation *op : unnamed)
    marks::inRole.set(op, epilogue);
}

LogicalResult nameTensorMemoryRoles(KernelOp kernel, const Arch & /*arch*/) {
  if (!isForTensorMemory(kernel))
    return success();
  if (failed(verifyLowered(kernel)) || failed(forEach<MmaOp>(kernel, verifyFactors)) ||
      failed(takeHalves(kernel)) || failed(forEach<MmaOp>(kernel, verifyTensorMemoryProduct)) ||
      failed(forEach<AllocOp>(kernel, verifyTile)) || failed(takeSumsOut(kernel)))
    return failure();
  nameRoles(kernel);
  bringFactors(kernel);
  mlir::NamedAttrList roles;
  mlir::Builder b(kernel.getContext());
  kernel.walk([&](mlir::Operation *op) {
    if (auto role = marks::inRole.of(op))
      roles.set(role, b.getI64IntegerAttr(4));
  });
  mlir::Attribute multiplies = b.getI64IntegerAttr(1);
  if (isOfPairs(kernel)) // one thread for both
    multiplies = b.getDictionaryAttr(
        {b.getNamedAttr("leader", b.getUnitAttr()), b.getNamedAttr("warps", multiplies)});
  roles.set(nameOf(Duty::compute), multiplies);
  marks::roles.set(kernel, roles.getDictionary(kernel.getContext()));
  return success();
}

} // namespace sluice
