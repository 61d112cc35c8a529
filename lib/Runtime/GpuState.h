// Clock and power of a GPU while it works, by NVML.
#pragma once

#include <optional>

namespace sluice {

struct GpuState {
  int smMHz = 0;
  double watts = 0, limitWatts = 0; // of the board: now, and what it may draw
};

/// Of the current context's device; nothing where NVML is missing or does not say.
std::optional<GpuState> gpuState();

} // namespace sluice
