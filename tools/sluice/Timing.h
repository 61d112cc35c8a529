// How long a kernel takes: on the clock of the virtual machine, and on the GPU in turns with the
// vendor's.
#pragma once

#include "Load.h"

#include "Runtime/Bench.h"

namespace sluice::tool {

/// Cycles of the launch at hand, without values, and what a launch costs before.
Result<double> predictedCycles(const Loaded &loaded);
double milliseconds(double cycles, const Arch &arch);

/// Whether bench can compare the kernel on this machine: it is gemm, it is proven, there is a GPU.
Result<bool> checkBench(const Loaded &loaded);

Result<BenchResult> measured(const Loaded &loaded, uint64_t seed);

} // namespace sluice::tool
