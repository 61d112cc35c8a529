// The printed text on the host beside the virtual machine, on the same inputs.
#pragma once

#include "Load.h"

#include "Host/Comparison.h"

namespace sluice::tool {

/// `exact`: sums of the inputs are, in any order; then every bit is compared where no function
/// rounds differently on different machines. `tensors` are those of the host then.
Result<HostComparison> runBesideHost(const Loaded &loaded, std::vector<HostTensor> &tensors,
                                     bool exact);

} // namespace sluice::tool
