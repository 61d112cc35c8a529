// Clock, power and energy of a GPU while it works, by NVML.
#pragma once

#include <optional>

namespace sluice {

struct GpuState {
  int smMHz = 0;
  double watts = 0, limitWatts = 0; // of the board: now, and what it may draw
};

/// Of the current context's device; nothing where NVML is missing or does not say.
std::optional<GpuState> gpuState();

/// Joules that its board has taken since the driver was loaded, brought up to date several times a
/// second; nothing where NVML does not count them.
std::optional<double> boardEnergy();

/// Of a call among seconds of the same: a large one runs at the power limit then.
struct Sustained {
  double ms = 0;
  std::optional<double> joules; // of the whole board; unknown without NVML
};

} // namespace sluice
