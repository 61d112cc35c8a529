// Bytes in the memory of the current device, freed at the end of life.
#pragma once

#include "Runtime/Driver.h"

#include <string>
#include <utility>

namespace sluice {

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

} // namespace sluice
