// The list itself: one entry a kernel, each defined beside its kernel.
#include "kernels/Catalog.h"

namespace sluice {

const std::vector<KernelEntry> &catalog() {
  static const std::vector<KernelEntry> entries = {};
  return entries;
}

} // namespace sluice
