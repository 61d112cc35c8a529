// How long a kernel takes: on the clock of the virtual machine, and on the GPU in turns with the
// vendor's.
#pragma once

#include "Parts.h"

#include "Bench/Bench.h"

namespace sluice::tool {

/// Cycles of the launches at hand, without values, and what a launch costs before.
Result<double> predictedCycles(const Parts &parts);
double milliseconds(double cycles, const Arch &arch);

/// Whether bench can compare them on this machine: the vendor has a peer, all is proven, there is a
/// GPU.
Result<bool> checkBench(const Parts &parts);

/// With inputs that makeTensors() made for the whole or for other settings of the same shape and
/// types. Then so many seconds of calls of either, if any.
Result<BenchResult> measured(const Parts &parts, const std::vector<HostTensor> &tensors,
                             double sustainedSeconds = 0);

/// Refuses a seed that no number of the machine model depends on: none are drawn that steer the
/// kernel.
std::optional<Error> seedWithoutEffect(const Options &options, const Loaded &loaded);

} // namespace sluice::tool
