// How the functions of runtime.h report, and a limit that they share.
#pragma once

#include "Support/Result.h"
#include "sluice/runtime.h"

#include <string>

namespace sluice {

constexpr int32_t maxTensors = 64; // of a launch, which lays them out on its stack

/// Keeps the words for sluice_error() of this thread.
sluice_status fail(const Error &error);
/// "sluice_load: kernel is null"
sluice_status failNull(const char *function, const char *argument);

} // namespace sluice
