#include "Simulate/Storage.h"

#include <algorithm>

namespace sluice {

static int64_t copies(const Program &p, const Buffer &b) {
  return isCopiedPerWarp(b.layout) ? std::max(p.warps, 1) : 1;
}

Storage::Storage(const World &world) : world_(&world) {
  constexpr std::byte patterns[] = {std::byte{0xff}, std::byte{0x7f}, std::byte{0xfe}};
  poison_ = patterns[world.options.seed % 3];
  registers_.resize(world.program.buffers.size());
  if (!world.values())
    return;
  for (size_t i = 0; i < world.program.buffers.size(); ++i) {
    const Buffer &b = world.program.buffers[i];
    int64_t size = world.maps[i]->bytes();
    if (b.space == Space::reg) {
      registers_[i].assign(copies(world.program, b) * b.slots * size, poison_);
      continue;
    }
    auto &bytes = spaces_[b.space];
    int64_t end = b.offset + (b.slots - 1) * b.slotBytes + size;
    if (end > static_cast<int64_t>(bytes.size()))
      bytes.resize(end, poison_);
  }
}

std::byte *Storage::slot(int buffer, int64_t slot, int warp) {
  const Buffer &b = world_->program.buffers[buffer];
  if (b.space != Space::reg)
    return spaces_[b.space].data() + b.offset + slot * b.slotBytes;
  int64_t copy = isCopiedPerWarp(b.layout) ? warp : 0;
  return registers_[buffer].data() + (copy * b.slots + slot) * world_->maps[buffer]->bytes();
}

} // namespace sluice
