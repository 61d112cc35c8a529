// Capacities, overlaps with barriers, alignments.
#include "Program/LayoutMap.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>
#include <map>

namespace sluice {
namespace {

/// Bytes that the start of every slot must be a multiple of, and why.
std::pair<int64_t, std::string> alignmentOf(const Program &p, const Buffer &b) {
  switch (b.space) {
  case Space::smem:
    if (const int64_t span = swizzleBytes(b.layout))
      return {8 * span, "a swizzle of " + std::to_string(span) + " bytes repeats every " +
                            std::to_string(8 * span)};
    return {16, "16-byte accesses"};
  case Space::tmem:
    return {4, "tensor memory is addressed in columns of 4 bytes"};
  case Space::l0a:
  case Space::l0b:
    return {512, "fractals of 512 bytes"};
  case Space::l0c:
    return {64, "L0C is addressed in 64-byte units"};
  case Space::l1:
  case Space::ub:
    return {32, spaceName(b.space) + " is addressed in 32-byte units"};
  default:
    return {1, ""};
  }
}

void checkBuffer(const StructureContext &c, const Buffer &b) {
  if (b.space == Space::reg)
    return;
  const int64_t capacity = c.arch.capacity(b.space), end = endInSpace(b);
  if (capacity == 0) {
    c.refuse("R16",
             "buffer " + b.name + place(b.loc) + " is in " + spaceName(b.space) + ", which " +
                 c.arch.name + " does not have",
             b.loc, b.name);
    return;
  }
  if (b.offset < 0 || end > capacity)
    c.refuse("R16",
             "buffer " + b.name + place(b.loc) + " ends at byte " + std::to_string(end) + " of " +
                 spaceName(b.space) + "; " + c.arch.name + " has " + std::to_string(capacity) +
                 ". Use fewer slots or smaller tiles",
             b.loc, b.name);
  if (b.slots > 1 && b.slotBytes < occupiedBytes(b))
    c.refuse("R16",
             "the slots of " + b.name + place(b.loc) + " overlap: they are " +
                 std::to_string(b.slotBytes) + " bytes apart and hold " +
                 std::to_string(occupiedBytes(b)),
             b.loc, b.name);
  const auto [alignment, why] = alignmentOf(c.program, b);
  if (b.offset % alignment != 0 || (b.slots > 1 && b.slotBytes % alignment != 0))
    c.refuse("R17",
             "buffer " + b.name + place(b.loc) + " starts at byte " + std::to_string(b.offset) +
                 " with slots of " + std::to_string(b.slotBytes) + "; both must be multiples of " +
                 std::to_string(alignment) + " (" + why + ")",
             b.loc, b.name);
}

void checkMbarriers(const StructureContext &c) {
  std::vector<std::pair<Interval, const Mbarrier *>> taken;
  for (const Mbarrier &b : c.program.mbarriers) {
    const Interval bytes{b.offset, b.offset + 8 * b.slots};
    if (b.offset % 8 != 0)
      c.refuse("R17",
               "mbarrier array " + b.name + place(b.loc) + " starts at byte " +
                   std::to_string(b.offset) + "; it must be a multiple of 8",
               b.loc, b.name);
    if (b.offset < 0 || bytes.end > c.program.sharedBytes)
      c.refuse("R16",
               "mbarrier array " + b.name + place(b.loc) + " ends at byte " +
                   std::to_string(bytes.end) + " of shared memory; the kernel asks for " +
                   std::to_string(c.program.sharedBytes),
               b.loc, b.name);
    for (const auto &[other, object] : taken)
      if (bytes.begin < other.end && other.begin < bytes.end)
        c.refuse("R16",
                 "mbarrier arrays " + object->name + " and " + b.name + place(b.loc) +
                     " overlap in shared memory",
                 b.loc, b.name);
    taken.push_back({bytes, &b});
    for (const Buffer &buffer : c.program.buffers)
      if (buffer.space == Space::smem && bytes.begin < endInSpace(buffer) &&
          buffer.offset < bytes.end)
        c.refuse("R16",
                 "mbarrier array " + b.name + place(b.loc) + " and buffer " + buffer.name +
                     " overlap in shared memory",
                 b.loc, b.name);
  }
}

/// CTAs that shall run at once on an SM find shared memory and warps there.
void checkCtasPerSm(const StructureContext &c) {
  const int64_t count = c.program.ctasPerSm;
  const std::string ctas = std::to_string(count) + " CTAs on an SM ";
  const int64_t bytes = count * (c.program.sharedBytes + c.arch.sharedOfSystem);
  if (count > 1 && bytes > c.arch.sharedOfSm)
    c.refuse("R16",
             ctas + "take " + std::to_string(bytes) + " bytes of shared memory, " +
                 std::to_string(c.arch.sharedOfSystem) + " of each for the system; " + c.arch.name +
                 " has " + std::to_string(c.arch.sharedOfSm),
             c.program.loc);
  if (count > 1 && count * c.program.warps > c.arch.warpsPerSm)
    c.refuse("R16",
             ctas + "are " + std::to_string(count * c.program.warps) + " warps; " + c.arch.name +
                 " has room for " + std::to_string(c.arch.warpsPerSm),
             c.program.loc);
}

} // namespace

void checkMemory(const StructureContext &c) {
  for (const Buffer &b : c.program.buffers) {
    checkBuffer(c, b);
    if (b.space == Space::smem && endInSpace(b) > c.program.sharedBytes &&
        endInSpace(b) <= c.arch.sharedBytes)
      c.refuse("R16",
               "buffer " + b.name + place(b.loc) + " ends at byte " +
                   std::to_string(endInSpace(b)) + " of shared memory; the kernel asks for " +
                   std::to_string(c.program.sharedBytes),
               b.loc, b.name);
  }
  if (c.program.sharedBytes > c.arch.sharedBytes)
    c.refuse("R16",
             "the kernel asks for " + std::to_string(c.program.sharedBytes) +
                 " bytes of shared memory; " + c.arch.name + " has " +
                 std::to_string(c.arch.sharedBytes) + " for a CTA",
             c.program.loc);
  checkCtasPerSm(c);
  checkMbarriers(c);
}

} // namespace sluice
