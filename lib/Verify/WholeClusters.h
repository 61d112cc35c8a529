// Whether every grid of a program is made of whole clusters (R12), or what a launcher has to look
// at.
#pragma once

#include "Program/Program.h"

#include <string>
#include <vector>

namespace sluice {

/// One assumption for each dimension of the grid that is not known to be a multiple of the cluster.
std::vector<std::string> assumedWholeClusters(const Program &program);

} // namespace sluice
