// Barrier -> allocated: every buffer and barrier gets its address; capacities are checked here,
// with what is needed and what there is. Offsets that the author gave are kept.
#include "Program/TensorMemory.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include <map>

namespace sluice {
namespace {

using namespace ir;

/// Bytes that the address of a buffer must be a multiple of: swizzle atoms of 8 lines (PTX ISA,
/// shared memory matrix layouts; TMA wants 128), fractals of 512 B on Ascend.
int64_t alignmentOf(BufferType type) {
  if (type.getSpace() == Space::smem)
    return std::max<int64_t>(128, 8 * swizzleBytes(type.getLayout()));
  if (type.getSpace() == Space::tmem)
    return 4; // a column
  return type.getSpace() == Space::reg ? 1 : 512;
}

int64_t roundUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

void place(AllocOp op, std::map<Space, int64_t> &used) {
  auto type = op.getBuffer().getType();
  int64_t bytes = slotBytesOf(type) * type.getSlots();
  int64_t &end = used[type.getSpace()];
  if (type.getSpace() != Space::reg && !op.getOffset())
    op.setOffset(roundUp(end, alignmentOf(type)));
  end = std::max<int64_t>(end, int64_t(op.getOffset().value_or(0)) + bytes);
}

void place(MbarrierAllocOp op, int64_t &end) {
  if (!op.getOffset())
    op.setOffset(roundUp(end, 8));
  end =
      std::max<int64_t>(end, int64_t(*op.getOffset()) + 8 * op.getBarriers().getType().getSlots());
}

/// Which memory, what it needs, what there is, and the largest buffers.
void report(KernelOp kernel, Space space, int64_t bytes, const Arch &arch) {
  auto error = kernel.emitError("R16: kernel '")
               << kernel.getName() << "' needs " << bytes << " bytes of " << name(space).data()
               << ", " << arch.name << " has " << arch.capacity(space) << ":";
  kernel.walk([&](AllocOp op) {
    auto type = op.getBuffer().getType();
    if (type.getSpace() == space)
      error << " " << op.getName() << " " << type.getSlots() << " x " << slotBytesOf(type);
  });
}

/// Columns of tensor memory of a kernel whose CTAs may wait for each other; 0: of no such kernel.
int64_t columnsBesideOthers(KernelOp kernel) {
  int64_t columns = 0;
  bool wait = ctasOf(kernel) > 1;
  kernel.walk([&](mlir::Operation *op) {
    if (auto alloc = mlir::dyn_cast<TmemAllocOp>(op))
      columns = int64_t(alloc.getColumns());
    wait |= mlir::isa<CounterWaitOp>(op);
  });
  return wait ? columns : 0;
}

/// So many bytes that no more CTAs are on an SM than find columns there (R42).
int64_t besideOthers(KernelOp kernel, const Arch &arch, int64_t bytes) {
  const int64_t columns = columnsBesideOthers(kernel),
                warps = int64_t(kernel.getWarps().value_or(0));
  if (columns == 0 || columns > TensorMemory::columns)
    return bytes;
  const int64_t most = TensorMemory::columns / columns;
  return residentCtas(arch, bytes, warps) <= most
             ? bytes
             : arch.sharedOfSm / (most + 1) + 1 - arch.sharedOfSystem;
}

} // namespace

mlir::LogicalResult allocate(KernelOp kernel, const Arch &arch) {
  std::map<Space, int64_t> used;
  kernel.walk([&](AllocOp op) { place(op, used); });
  kernel.walk([&](MbarrierAllocOp op) { place(op, used[Space::smem]); });
  if (const auto written = kernel.getSharedBytes()) {
    int64_t &taken = used[Space::smem];
    if (int64_t(*written) < taken)
      return kernel.emitError("shared_bytes is ")
             << *written << "; buffers and barriers take " << taken << ", as without it";
    taken = int64_t(*written);
  } else {
    used[Space::smem] = besideOthers(kernel, arch, used[Space::smem]);
  }
  for (auto [space, bytes] : used)
    if (space != Space::reg && bytes > arch.capacity(space))
      return report(kernel, space, bytes, arch), mlir::failure();
  if (!isAscend(arch.target))
    kernel.setSharedBytes(roundUp(used[Space::smem], 128));
  return mlir::success();
}

} // namespace sluice
