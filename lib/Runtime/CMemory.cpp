// The functions of include/sluice/runtime.h for device memory.
#include "Runtime/CFailure.h"
#include "Runtime/Context.h"

#include <functional>

using namespace sluice;

namespace {

/// One call of the driver with the device's context current.
sluice_status onDevice(int32_t device, const char *call, const std::string &about,
                       const std::function<CUresult(const Driver &)> &run) {
  auto context = primaryContext(device);
  if (!context)
    return fail(context.error());
  const Driver &d = **Driver::get();
  CurrentContext current;
  const char *entering = nullptr;
  if (CUresult r = current.enter(d, *context, entering))
    return fail(d.error(entering, "device " + std::to_string(device), r));
  if (CUresult r = run(d))
    return fail(d.error(call, about + " on device " + std::to_string(device), r));
  return SLUICE_OK;
}

std::string count(size_t bytes) {
  return std::to_string(bytes) + " bytes";
}

CUdeviceptr address(const void *data) {
  return reinterpret_cast<CUdeviceptr>(data);
}

} // namespace

sluice_status sluice_memory_allocate(int32_t device, size_t bytes, void **data) {
  if (!data)
    return failNull("sluice_memory_allocate", "data");
  CUdeviceptr at = 0;
  const sluice_status status = onDevice(device, "cuMemAlloc", count(bytes), [&](const Driver &d) {
    return d.memAlloc(&at, bytes ? bytes : 1);
  });
  *data = reinterpret_cast<void *>(at);
  return status;
}

sluice_status sluice_memory_free(int32_t device, void *data) {
  return onDevice(device, "cuMemFree", "memory",
                  [&](const Driver &d) { return data ? d.memFree(address(data)) : 0; });
}

sluice_status sluice_memory_write(int32_t device, void *to, const void *host, size_t bytes) {
  return onDevice(device, "cuMemcpyHtoD", count(bytes), [&](const Driver &d) {
    return bytes ? d.copyToDevice(address(to), host, bytes) : 0;
  });
}

sluice_status sluice_memory_read(int32_t device, void *host, const void *from, size_t bytes) {
  return onDevice(device, "cuMemcpyDtoH", count(bytes), [&](const Driver &d) {
    return bytes ? d.copyToHost(host, address(from), bytes) : 0;
  });
}

sluice_status sluice_wait(int32_t device) {
  return onDevice(device, "cuCtxSynchronize", "work",
                  [&](const Driver &d) { return d.contextSynchronize(); });
}
