// The on-chip memories of a CTA or core, byte for byte.
#pragma once

#include "Simulate/World.h"

#include <cstddef>
#include <map>

namespace sluice {

class Storage {
public:
  /// Holds the buffers of all spaces; nothing when the run has no values.
  explicit Storage(const World &world);

  /// First byte of a slot. `warp` of the role: its copy of a row that every warp has.
  std::byte *slot(int buffer, int64_t slot, int warp);

  /// Byte of uninitialised and of overwritten memory: a NaN or a huge number in every float type.
  std::byte poison() const { return poison_; }

private:
  const World *world_;
  std::byte poison_;
  std::map<Space, std::vector<std::byte>> spaces_;
  std::vector<std::vector<std::byte>> registers_; // by buffer
};

} // namespace sluice
