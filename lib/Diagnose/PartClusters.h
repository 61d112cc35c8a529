// A launch that breaks R12 where no arithmetic shows that every grid keeps it (WholeClusters.h).
#pragma once

#include "Simulate/Simulate.h"

#include <optional>

namespace sluice {

/// A launch with a grid that ends inside a cluster: like `given` but for one extent or argument, or
/// for all that are equal to it there. Nothing where none was found.
std::optional<Launch> launchOfPartClusters(const Program &program, const Launch &given);

} // namespace sluice
