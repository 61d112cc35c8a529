// Primary contexts of the devices, and which one is current on a thread.
#pragma once

#include "Runtime/Driver.h"

#include <optional>

namespace sluice {

constexpr int maxDevices = 64;

/// Retained at the first call for a device and kept until the process ends.
Result<CUcontext> primaryContext(int device);

/// The device of the thread's current context; 0 where it has none.
Result<int> currentDevice();

/// Makes a context current for as long as it lives, unless it is already.
class CurrentContext {
public:
  CurrentContext() = default;
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;
  ~CurrentContext();
  /// 0, or what the driver answered to `call`; at most once.
  CUresult enter(const Driver &driver, CUcontext context, const char *&call);

private:
  const Driver *driver_ = nullptr; // set where there is a context to pop
};

} // namespace sluice
