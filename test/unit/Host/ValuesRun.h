// The same launch twice on the same inputs: the printed text on the host, and the virtual machine.
#pragma once

#include "Emit/HostKernels.h"
#include "Host/Comparison.h"

#include <functional>
#include <string>

namespace sluice::test {

/// Changes a printed text before it is compiled.
using Edit = std::function<void(std::string &text)>;

/// Inputs are integers from -2 to 2, so that sums are exact in any order.
Result<HostComparison> compareValues(const HostCase &of, const Edit &edit = {});

} // namespace sluice::test
