// How long a kernel takes: on the clock of the virtual machine, and on the GPU in turns with the
// vendor's.
#pragma once

#include "Load.h"

#include "Runtime/Bench.h"

namespace sluice::tool {

/// Cycles of the launch at hand, without values, and what a launch costs before.
Result<double> predictedCycles(const Loaded &loaded);
double milliseconds(double cycles, const Arch &arch);

/// Whether bench can compare the kernel on this machine: the vendor has a peer for it, it is
/// proven, there is a GPU.
Result<bool> checkBench(const Loaded &loaded);

/// With inputs that makeTensors() made for it or for other settings of the same shape and types.
Result<BenchResult> measured(const Loaded &loaded, const std::vector<HostTensor> &tensors);

} // namespace sluice::tool
