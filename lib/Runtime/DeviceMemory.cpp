#include "Runtime/DeviceMemory.h"

#include <algorithm>

namespace sluice {

Result<DeviceMemory> DeviceMemory::allocate(int64_t bytes, const std::string &about) {
  auto driver = Driver::get();
  if (!driver)
    return driver.error();
  CUdeviceptr address = 0;
  if (CUresult r = (*driver)->memAlloc(&address, std::max<int64_t>(bytes, 16)))
    return (*driver)->error("cuMemAlloc", about + ", " + std::to_string(bytes) + " bytes", r);
  return DeviceMemory(address, bytes);
}

DeviceMemory::~DeviceMemory() {
  if (address_)
    (*Driver::get())->memFree(address_);
}

} // namespace sluice
