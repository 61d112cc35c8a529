// Whether every grid of a program is made of whole clusters (R12), or what a launcher has to look
// at.
#pragma once

#include "Simulate/Simulate.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One assumption for each dimension of the grid that is not known to be a multiple of the cluster.
std::vector<std::string> assumedWholeClusters(const Program &program);

/// A launch with a grid that ends inside a cluster: like `given` but for one extent or argument, or
/// for all that are equal to it there. Nothing where none was found.
std::optional<Launch> launchOfPartClusters(const Program &program, const Launch &given);

} // namespace sluice
