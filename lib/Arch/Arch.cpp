#include "Arch/Arch.h"

#include "Arch/Datasheet.h"
#include "Arch/Limits.h"
#include "Program/TensorMemory.h"

#include <algorithm>

namespace sluice {
int64_t Arch::capacity(Space space) const {
  switch (space) {
  case Space::smem:
    return sharedBytes;
  case Space::reg:
    return registersPerSm * 4;
  case Space::tmem: // of each of 128 lanes: 512 columns x 32 bit (PTX ISA 9.7.16.1, Tensor Memory)
    return target == Target::sm_100a ? TensorMemory::laneBytes : 0;
  case Space::l1:
    return l1Bytes;
  case Space::l0a:
    return l0aBytes;
  case Space::l0b:
    return l0bBytes;
  case Space::l0c:
    return l0cBytes;
  case Space::ub:
    return ubBytes;
  default:
    return 0;
  }
}

int64_t residentCtas(const Arch &arch, int64_t sharedBytes, int64_t warps) {
  const int64_t bytes = std::max<int64_t>(sharedBytes + arch.sharedOfSystem, 1);
  return std::min(
      {mostCtasOfSm, arch.sharedOfSm / bytes, arch.warpsPerSm / std::max<int64_t>(warps, 1)});
}

const Arch *findArch(const std::string &name) {
  for (const Datasheet &sheet : datasheets())
    if (sheet.arch().name == name)
      return &sheet.arch();
  return nullptr;
}

std::vector<std::string> archNames() {
  std::vector<std::string> names;
  for (const Datasheet &sheet : datasheets())
    names.push_back(sheet.arch().name);
  return names;
}

const Arch &defaultArch(Target target) {
  const auto found =
      std::ranges::find(datasheets(), target, [](const Datasheet &s) { return s.arch().target; });
  return found->arch();
}

} // namespace sluice
