// A kernel as a launcher has it: plan and machine code, loaded on the devices that ask for it.
#pragma once

#include "Launch/LaunchPlan.h"
#include "Runtime/Driver.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace sluice {

struct KernelState;

/// What one launch passes: grid and parameters, tensor maps encoded. Holds the bytes themselves;
/// the kernel must outlive it.
class BoundLaunch {
public:
  /// Puts the launch on `stream` without waiting; nothing to do for an empty grid. The primary
  /// context of the launch's device becomes current meanwhile.
  std::optional<Error> launch(CUstream stream = nullptr) const;

private:
  friend class DeviceKernel;
  friend struct KernelState;
  static constexpr size_t maxBytes = 4096; // of parameters: CUDA C++ Programming Guide, __global__
  static constexpr size_t maxParameters = 128;
  const KernelState *kernel_ = nullptr;
  int device_ = 0;
  std::array<int64_t, 3> grid_{};
  alignas(64) std::byte bytes_[maxBytes];
};

/// For any number of threads and streams.
class DeviceKernel {
public:
  /// On no device yet: prepare() or the first launch on a device loads it there. `cubin` is an ELF
  /// image, or "" for kernels that are never launched.
  static Result<DeviceKernel> create(LaunchPlan plan, std::string cubin);
  /// Created, and loaded on device 0.
  static Result<DeviceKernel> load(LaunchPlan plan, std::string cubin);
  DeviceKernel(DeviceKernel &&) noexcept;
  DeviceKernel &operator=(DeviceKernel &&) = delete;
  ~DeviceKernel();

  const LaunchPlan &plan() const;
  /// Loads it on a device. A launch while a graph is captured needs this before.
  std::optional<Error> prepare(int device) const;
  /// Checks what the kernel assumes of its arguments and prepares a launch.
  Result<BoundLaunch> bind(const LaunchArguments &arguments, int device = 0) const;
  /// Both, once: no allocation and no waiting, except for the first launch on a device.
  std::optional<Error> launch(const LaunchArguments &arguments, int device, CUstream stream) const;

private:
  explicit DeviceKernel(std::unique_ptr<KernelState> state);
  std::unique_ptr<KernelState> state_;
};

} // namespace sluice
