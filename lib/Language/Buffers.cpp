// Buffers of the middle level: where they are, how they lie there, and which begin where others do.
#include "Language/Recorder.h"
#include "Transform/Placed/HopperTiles.h"

using namespace mlir;

namespace sluice::lang::detail {

/// In shared memory the widest swizzle whose span divides the contiguous extent, of eight lines or
/// more; in the memories of a cube core what its pipes read and write.
static Layout layoutIn(Space space, DType type, Shape shape, int minor) {
  if (space == Space::l1)
    return minor ? Layout::zN : Layout::nZ;
  if (space == Space::l0a)
    return Layout::zZ;
  if (space == Space::l0b)
    return Layout::nZ;
  if (space == Space::l0c)
    return Layout::zN;
  if (space != Space::smem)
    return Layout::row;
  const auto [lines, line] =
      minor ? std::pair(shape.rows, shape.cols) : std::pair(shape.cols, shape.rows);
  const Layout swizzle = lines % 8 == 0 ? swizzleFor(line * byteSize(type)) : Layout::none;
  return swizzle == Layout::none ? Layout::row : swizzle;
}

bool isInTensorMemory(ir::AllocOp buffer) {
  return buffer.getBuffer().getType().getSpace() == Space::tmem;
}

/// What is wrong with where a buffer is to be; empty: nothing.
static std::string wrongPlace(Space space, Shape shape, const BufferOptions &options) {
  if (space == Space::unplaced || space == Space::reg)
    return " in '" + std::string(sluice::name(space)) +
           "'; one of smem, tmem, l1, l0a, l0b, l0c, ub, global";
  if (options.minor != 0 && options.minor != 1)
    return ": minor = " + std::to_string(options.minor) +
           "; 0: its columns are contiguous, 1: its rows";
  if (space == Space::tmem && options.minor == 0)
    return ": minor = 0; in tensor memory a row lies in a lane, column by column";
  if (space == Space::tmem && shape.rows > 128)
    return " has " + std::to_string(shape.rows) + " rows; tensor memory has 128 lanes";
  if (options.over && space != Space::smem && space != Space::tmem)
    return " over another one in " + std::string(sluice::name(space)) +
           "; they share a place in shared and in tensor memory";
  return "";
}

Value Roles::addBuffer(DType type, Shape shape, Space space, const BufferOptions &options,
                       const std::string &name, SourceLocation at) {
  if (!r_.open(at))
    return {};
  if (std::string wrong = wrongPlace(space, shape, options); !wrong.empty())
    return r_.fail(at, "buffer '" + name + "'" + wrong), Value();
  if (current_ || !r_.inKernelBlock())
    return r_.fail(at, "buffer '" + name +
                           "' inside a role, loop or branch; roles share it, so it stands directly "
                           "in the kernel"),
           Value();
  Value buffer = r_.buffer(type, shape, options.minor, name, "shared", at);
  if (!buffer)
    return {};
  auto alloc = buffer.getDefiningOp<ir::AllocOp>();
  retype(alloc, alloc.getBuffer().getType().in(space, layoutIn(space, type, shape, options.minor)));
  buffers_.push_back(alloc);
  if (options.over && !addOver(alloc, *options.over, at))
    return {};
  return buffer;
}

bool Roles::addOver(ir::AllocOp buffer, const Tile &under, SourceLocation at) {
  Value value = r_.useRing(under.handle(), at);
  if (!value)
    return false;
  auto other = value.getDefiningOp<ir::AllocOp>();
  const std::string who = "buffer '" + buffer.getName().str() + "' over ";
  if (!llvm::is_contained(buffers_, other))
    return r_.fail(at, who + r_.describe(value) + ", which is no buffer that roles share"), false;
  if (other.getBuffer().getType().getSpace() != buffer.getBuffer().getType().getSpace())
    return r_.fail(at, who + "'" + other.getName().str() + "', which lies in another memory"),
           false;
  over_.push_back({buffer, other});
  return true;
}

static int64_t bytesOf(ir::AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  return *ir::byteSizeOf(type) * type.getSlots();
}

/// What shares a place comes first in its memory, at an address of its own; the rest follows.
void Roles::placeOver() {
  std::map<Space, int64_t> end;
  Operation *first = buffers_.empty() ? nullptr : buffers_.front().getOperation();
  for (const Over &over : over_) {
    ir::AllocOp under = over.under, buffer = over.buffer;
    int64_t &last = end[under.getBuffer().getType().getSpace()];
    const int64_t alignment = isInTensorMemory(under) ? 4 : 1024; // a column; of every swizzle
    if (!under.getOffset()) {
      under.setOffset((last + alignment - 1) / alignment * alignment);
      if (under != first)
        under->moveBefore(first);
    }
    buffer.setOffset(*under.getOffset());
    if (buffer != first)
      buffer->moveBefore(first);
    last = std::max(last, int64_t(*under.getOffset()) + std::max(bytesOf(under), bytesOf(buffer)));
  }
}

} // namespace sluice::lang::detail
