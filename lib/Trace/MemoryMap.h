// What lies where in the memories of a CTA or core, and when: places from the allocation, times
// from a run.
#pragma once

#include "Arch/Arch.h"
#include "Trace/Trace.h"

namespace sluice {

/// A time in which a place holds one content, which is being written until `ready`.
struct Held {
  double begin, ready, end;
};

/// A slot of a buffer, or barriers side by side. Bytes of the memory; columns of tensor memory.
struct MemoryPlace {
  std::string name; // "a[0]", "barriers"
  std::string tile; // "f16 128x64 sw128"
  int64_t begin, end;
  int64_t slot = 0;
  bool isBarriers = false;
  std::vector<Held> held = {}; // in order, disjoint
};

struct MemoryMap {
  std::string memory; // "shared memory", "L0A"
  std::string unit;   // "bytes", "columns"
  int64_t capacity = 0;
  int64_t used = 0;                // up to its last place, or as the launch asks for it
  int64_t most = 0;                // held at the same time, barriers included
  std::vector<MemoryPlace> places; // by begin
};

/// Those that the program uses, from far to near.
std::vector<MemoryMap> memoryMaps(const Program &program, const Arch &arch,
                                  const Timeline &timeline);

/// A table a memory.
std::string memoryText(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                       const PictureOptions &options);
std::string memoryJson(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                       const MoreMembers &more);
/// Addresses down, time to the right.
std::string memorySvg(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                      const PictureOptions &options);

} // namespace sluice
