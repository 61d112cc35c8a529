// The headers of device/, carried inside the program: NVRTC and nvcc compile printed kernels where
// no source tree is.
#pragma once

#include "Support/Result.h"

#include <span>
#include <string>
#include <string_view>

namespace sluice {

struct DeviceHeader {
  std::string_view name; // "sluice/device.cuh"
  std::string_view text;
};

std::span<const DeviceHeader> deviceHeaders();
/// Of mains beside printed kernels, whatever the device: "sluice/host_main.h".
std::span<const DeviceHeader> hostHeaders();
/// Those of device/ascend, for printed Ascend C: "sluice/cube.h".
std::span<const DeviceHeader> ascendHeaders();

/// Writes those of CUDA and of its mains under `folder` ("folder/sluice/device.cuh" ...) and
/// returns their number.
Result<int64_t> writeDeviceHeaders(const std::string &folder);

} // namespace sluice
