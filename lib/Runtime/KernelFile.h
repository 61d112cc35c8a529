// A kernel as `sluice build` leaves it: a manifest and what lies beside it.
#pragma once

#include "Launch/Manifest.h"
#include "Runtime/DeviceKernel.h"

#include <string>

namespace sluice {

/// Reads the manifest and its cubin; compiles its source where the cubin is missing.
Result<DeviceKernel> loadKernelFile(const std::string &manifestPath);

/// Of a cubin that the manifest does not mean, says so.
Result<DeviceKernel> loadKernel(Manifest manifest, std::string cubin);

} // namespace sluice
