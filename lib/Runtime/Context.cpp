#include "Runtime/Context.h"

#include <algorithm>
#include <array>
#include <mutex>

namespace sluice {

Result<CUcontext> primaryContext(int device) {
  static std::mutex mutex;
  static std::array<CUcontext, maxDevices> retained{};
  auto driver = Driver::get();
  if (!driver)
    return driver.error();
  const Driver &d = **driver;
  const std::string about = "device " + std::to_string(device);
  int count = 0;
  if (CUresult r = d.deviceGetCount(&count))
    return d.error("cuDeviceGetCount", "", r);
  if (device < 0 || device >= std::min(count, maxDevices))
    return inputError("there is no " + about + "; this machine has " + std::to_string(count));
  std::lock_guard lock(mutex);
  if (retained[device])
    return retained[device];
  CUdevice handle = 0;
  CUcontext context = nullptr;
  if (CUresult r = d.deviceGet(&handle, device))
    return d.error("cuDeviceGet", about, r);
  if (CUresult r = d.primaryContextRetain(&context, handle))
    return d.error("cuDevicePrimaryCtxRetain", about, r);
  return retained[device] = context;
}

Result<int> currentDevice() {
  auto driver = Driver::get();
  if (!driver)
    return driver.error();
  const Driver &d = **driver;
  CUcontext context = nullptr;
  if (CUresult r = d.contextGetCurrent(&context))
    return d.error("cuCtxGetCurrent", "", r);
  CUdevice device = 0;
  if (context)
    if (CUresult r = d.contextGetDevice(&device))
      return d.error("cuCtxGetDevice", "", r);
  return int(device);
}

CUresult CurrentContext::enter(const Driver &driver, CUcontext context, const char *&call) {
  CUcontext current = nullptr;
  call = "cuCtxGetCurrent";
  if (CUresult r = driver.contextGetCurrent(&current))
    return r;
  if (current == context)
    return 0;
  call = "cuCtxPushCurrent";
  if (CUresult r = driver.contextPush(context))
    return r;
  driver_ = &driver;
  return 0;
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  if (driver_)
    driver_->contextPop(&popped);
}

} // namespace sluice
