// What a run is about and never changes during it: the program, the machine, the launch.
#pragma once

#include "Arch/Arch.h"
#include "Program/CoreMeeting.h"
#include "Program/LayoutMap.h"
#include "Simulate/Simulate.h"
#include "Support/HostTensor.h"

#include <memory>
#include <mutex>
#include <vector>

namespace sluice {

struct World {
  World(const Program &program, const Arch &arch, const Launch &launch,
        std::vector<HostTensor> *tensors, const SimulateOptions &options);

  const Program &program;
  const Arch &arch;
  const Launch &launch;
  std::vector<HostTensor> *tensors; // null: no values
  const SimulateOptions &options;

  const std::optional<CoreMeeting> meeting; // Ascend: of all cores
  std::vector<int64_t> grid;                // extents, padded with 1 to three dimensions
  int64_t ctas() const { return grid[0] * grid[1] * grid[2]; }
  int64_t clusterSize() const {
    return program.cluster[0] * program.cluster[1] * program.cluster[2];
  }
  bool values() const { return tensors && options.values; }

  std::vector<std::shared_ptr<const LayoutMap>> maps; // of every buffer

  // Global memory as one SM sees it while `activeSms` of them run, bytes per cycle.
  double l2Rate = 0, storeRate = 0, hbmRate = 0;
  /// Share of a tensor's traffic that misses L2: its size over the bytes that all CTAs move.
  std::vector<double> missShare;

  /// What loads of a tensor wait for misses, in the mean. The CTAs that run at the same time form
  /// about a square of tiles: those of a row ask for the same bytes at about the same time, and all
  /// wait for the one miss.
  double missDelay(int tensor) const;
};

} // namespace sluice
