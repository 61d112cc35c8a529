// Time on the device, by events around calls that put work on the default stream.
#pragma once

#include "Runtime/DeviceKernel.h"

#include <functional>
#include <optional>

namespace sluice {

/// Mean time in milliseconds of `repeats` calls. `after` is put on the stream behind them.
Result<double> timeCalls(const std::function<std::optional<Error>()> &call, int repeats,
                         const std::function<std::optional<Error>()> &after = {});
Result<double> timeLaunches(const BoundLaunch &launch, int repeats);

} // namespace sluice
