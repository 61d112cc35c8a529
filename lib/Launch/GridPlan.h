// The grid of a launch as arithmetic over extents and arguments.
#pragma once

#include "Launch/LaunchArguments.h"
#include "Program/Assumption.h"
#include "Program/Program.h"
#include "Support/Result.h"

#include <array>
#include <vector>

namespace sluice {

struct GridPlan {
  std::vector<Scalar> scalars;  // constant, dim, argument, arithmetic; scalar i defines value i
  std::vector<ValueId> extents; // x, y, z; absent ones are 1
  std::string unknown;          // why a launcher cannot compute it; empty: it can
};

GridPlan planGrid(const Program &program);

/// x, y, z. Allocates only for an error: a side that is too large, or no multiple of the cluster.
std::optional<Error> launchGrid(const GridPlan &plan, const std::string &kernel,
                                const std::array<int64_t, 3> &cluster,
                                const LaunchArguments &arguments, std::array<int64_t, 3> &grid);

} // namespace sluice
