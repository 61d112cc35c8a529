#include "Transform/Barrier/TensorMemory.h"

#include "Transform/Barrier/LaneWaits.h"
#include "Transform/Tile/Pairs.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>

namespace sluice {

using namespace ir;

static BufferType typeOf(mlir::Value buffer) {
  return mlir::cast<BufferType>(buffer.getType());
}

/// A power of two, at least 32 (PTX ISA 9.7.16.7.1, tcgen05.alloc).
static int64_t columnsOf(KernelOp kernel) {
  uint64_t bytes = 0;
  kernel.walk([&](AllocOp tile) { // as sluice-allocate will place them
    auto type = tile.getBuffer().getType();
    if (type.getSpace() == Space::tmem)
      bytes = std::max(bytes, tile.getOffset().value_or(bytes) +
                                  uint64_t(*byteSizeOf(type) * type.getSlots()));
  });
  return bytes ? int64_t(std::max<uint64_t>(std::bit_ceil((bytes + 3) / 4), 32)) : 0;
}

bool usesTensorMemory(KernelOp kernel) {
  return columnsOf(kernel) > 0;
}

/// The first warp of the role that multiplies.
static int64_t multiplyingWarp(KernelOp kernel) {
  int64_t warp = 0;
  for (RoleOp role : kernel.getOps<RoleOp>())
    role.walk([&](Tcgen05MmaOp) { warp = int64_t(role.getFirst().value_or(0)); });
  return warp;
}

static mlir::OpBuilder roleOfWarp(mlir::OpBuilder &b, KernelOp kernel, const char *name,
                                  int64_t warp) {
  auto role = RoleOp::create(b, kernel.getLoc(), b.getStringAttr(name), b.getI64IntegerAttr(warp),
                             b.getI64IntegerAttr(warp + 1), nullptr, nullptr);
  return mlir::OpBuilder::atBlockEnd(&role.getBody().emplaceBlock());
}

std::optional<TensorMemoryOfKernel> allocateTensorMemory(mlir::OpBuilder &b, KernelOp kernel) {
  TensorMemoryOfKernel memory{columnsOf(kernel), multiplyingWarp(kernel), {}};
  if (memory.columns == 0)
    return std::nullopt;
  auto loc = kernel.getLoc();
  auto type =
      BufferType::get(b.getContext(), {1, 1}, b.getI32Type(), Space::smem, Layout::row, 1, 1);
  memory.address = AllocOp::create(b, loc, type, "tmem_address", mlir::IntegerAttr()).getBuffer();
  auto inside = roleOfWarp(b, kernel, "allocate", memory.warp);
  TmemAllocOp::create(inside, loc, memory.columns, memory.address);
  TmemRelinquishOp::create(inside, loc);
  return memory;
}

/// Whether what some role has asked of its lanes last is behind no fence: it signals nobody then.
static bool leavesUnfenced(KernelOp kernel) {
  const auto isOfLanes = [](CopyOp copy) {
    return !bringsFactors(copy) && (typeOf(copy.getSource()).getSpace() == Space::tmem ||
                                    typeOf(copy.getDestination()).getSpace() == Space::tmem);
  };
  return llvm::any_of(kernel.getOps<RoleOp>(), [&](RoleOp role) {
    bool open = false;
    role.walk([&](mlir::Operation *op) {
      if (auto copy = mlir::dyn_cast<CopyOp>(op))
        open |= isOfLanes(copy);
      else if (auto fence = mlir::dyn_cast<FenceOp>(op))
        open &= fence.getKind() != FenceKind::tcgen05_before;
    });
    return open;
  });
}

void useTensorMemory(mlir::OpBuilder &b, KernelOp kernel, const TensorMemoryOfKernel &memory) {
  auto loc = kernel.getLoc();
  TmemAddressOp::create(b, loc, memory.address);
  waitForLanes(kernel);
  auto end = mlir::OpBuilder::atBlockEnd(&kernel.getBody().front());
  if (leavesUnfenced(kernel))
    FenceOp::create(end, loc, FenceKind::tcgen05_before, ir::Exec::threads);
  if (kernel.getCluster()) {
    ClusterArriveOp::create(end, loc);
    ClusterWaitOp::create(end, loc);
  } else {
    BarSyncOp::create(end, loc, 0, 32 * int64_t(*kernel.getWarps()));
  }
  FenceOp::create(end, loc, FenceKind::tcgen05_after, ir::Exec::threads);
  auto inside = roleOfWarp(end, kernel, "free", memory.warp);
  TmemDeallocOp::create(inside, loc, memory.columns);
}

void pairUp(KernelOp kernel) {
  if (!isOfPairs(kernel))
    return;
  kernel.walk([](mlir::Operation *op) {
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case<TmemAllocOp, TmemRelinquishOp, TmemDeallocOp, Tcgen05CommitOp>(
            [](auto of) { of.setCtas(2); })
        .Case<CopyOp>([](CopyOp copy) {
          if (bringsFactors(copy))
            copy.setCtas(2);
        });
  });
}

/// Whether a wait for one of the two is for both.
static bool areMerged(PipelineOp one, PipelineOp other) {
  const auto ringOf = [](PipelineOp ring) { return ring.getMerge().value_or(ring.getName()); };
  return one == other || ringOf(one) == ringOf(other);
}

/// Whether a role has to do with the slots of a ring in tensor memory. Whoever touches but those in
/// shared memory, as who loads factors, has not.
static bool isOfColumns(PipelineOp ring, llvm::StringRef role) {
  bool columns = false, touchesColumns = false, touchesOthers = false;
  for (mlir::Value tile : ring.getBuffers()) {
    const bool here = typeOf(tile).getSpace() == Space::tmem;
    columns |= here;
    for (const TileAccess &access : accessesOf(rootOf(tile)))
      if (roleOf(access.op) == role)
        (here ? touchesColumns : touchesOthers) = true;
  }
  return columns && (touchesColumns || !touchesOthers);
}

void fenceAfter(mlir::OpBuilder &b, mlir::Operation *wait) {
  auto own = wait->getOperand(0).getDefiningOp<PipelineOp>();
  for (PipelineOp ring : own->getParentOfType<KernelOp>().getOps<PipelineOp>())
    if (areMerged(own, ring) && isOfColumns(ring, roleOf(wait))) {
      FenceOp::create(b, wait->getLoc(), FenceKind::tcgen05_after, ir::Exec::threads);
      return;
    }
}

} // namespace sluice
