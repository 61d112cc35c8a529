// A kernel loaded on the device, and memory there.
#pragma once

#include "Emit/LaunchPlan.h"
#include "Runtime/Driver.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sluice {

/// Bytes in device memory, freed at the end of life.
class DeviceMemory {
public:
  static Result<DeviceMemory> allocate(int64_t bytes, const std::string &about);
  DeviceMemory(DeviceMemory &&o) noexcept
      : address_(std::exchange(o.address_, 0)), bytes_(o.bytes_) {}
  DeviceMemory &operator=(DeviceMemory &&) = delete;
  ~DeviceMemory();
  CUdeviceptr address() const { return address_; }
  int64_t bytes() const { return bytes_; }

private:
  DeviceMemory(CUdeviceptr address, int64_t bytes) : address_(address), bytes_(bytes) {}
  CUdeviceptr address_;
  int64_t bytes_;
};

/// What one launch passes: grid and parameters, tensor maps encoded.
class BoundLaunch {
public:
  /// Launches on the default stream without waiting; nothing to do for an empty grid.
  Result<bool> launch() const;

private:
  friend class DeviceKernel;
  struct alignas(64) Slot {
    CUtensorMap map;
    uint64_t word;
  };
  std::string kernel_;
  CUfunction function_ = nullptr;
  std::array<int64_t, 3> grid_{};
  int threads_ = 0;
  int64_t sharedBytes_ = 0;
  std::vector<Slot> slots_;
  std::vector<bool> isMap_;
};

class DeviceKernel {
public:
  static Result<DeviceKernel> load(const LaunchPlan &plan, const std::string &cubin);
  DeviceKernel(DeviceKernel &&o) noexcept
      : plan_(std::move(o.plan_)), module_(std::exchange(o.module_, nullptr)),
        function_(o.function_) {}
  DeviceKernel &operator=(DeviceKernel &&) = delete;
  ~DeviceKernel();

  /// Checks what the program assumes of its tensors (alignment, unit stride, extents below 2^31)
  /// and prepares a launch. `bases`: device addresses, one per tensor.
  Result<BoundLaunch> bind(const Program &program, const Launch &launch,
                           const std::vector<CUdeviceptr> &bases) const;

private:
  DeviceKernel(LaunchPlan plan, CUmodule module, CUfunction function)
      : plan_(std::move(plan)), module_(module), function_(function) {}
  LaunchPlan plan_;
  CUmodule module_;
  CUfunction function_;
};

/// Mean time in milliseconds of `repeats` calls that put work on the default stream, by events
/// around them.
Result<double> timeCalls(const std::function<std::optional<Error>()> &call, int repeats);
Result<double> timeLaunches(const BoundLaunch &launch, int repeats);

/// What the launcher can check without a device: shapes, strides and alignment against the program.
std::optional<Error> checkLaunch(const Program &program, const Launch &launch);

} // namespace sluice
