#include "Runtime/Driver.h"

#include "Runtime/Context.h"

#include <mutex>
#include <optional>

namespace sluice {
namespace {

/// The first symbol that the library lacks, or null.
const char *resolve(const Library &library, Driver &d) {
  const char *missing = nullptr;
  auto find = [&](const char *symbol, auto *&function) {
    if (!library.find(symbol, function) && !missing)
      missing = symbol;
  };
  find("cuInit", d.init);
  find("cuDeviceGetCount", d.deviceGetCount);
  find("cuDeviceGet", d.deviceGet);
  find("cuDeviceGetName", d.deviceGetName);
  find("cuDeviceGetPCIBusId", d.deviceGetPCIBusId);
  find("cuDeviceGetAttribute", d.deviceGetAttribute);
  find("cuDevicePrimaryCtxRetain", d.primaryContextRetain);
  find("cuCtxSetCurrent", d.contextSetCurrent);
  find("cuCtxGetCurrent", d.contextGetCurrent);
  find("cuCtxPushCurrent_v2", d.contextPush);
  find("cuCtxPopCurrent_v2", d.contextPop);
  find("cuCtxGetDevice", d.contextGetDevice);
  find("cuCtxSynchronize", d.contextSynchronize);
  find("cuModuleLoadData", d.moduleLoadData);
  find("cuModuleUnload", d.moduleUnload);
  find("cuModuleGetFunction", d.moduleGetFunction);
  find("cuFuncSetAttribute", d.functionSetAttribute);
  find("cuMemAlloc_v2", d.memAlloc);
  find("cuMemFree_v2", d.memFree);
  find("cuMemcpyHtoD_v2", d.copyToDevice);
  find("cuMemcpyDtoH_v2", d.copyToHost);
  find("cuMemsetD8_v2", d.memsetD8);
  find("cuLaunchKernelEx", d.launchKernel);
  find("cuEventCreate", d.eventCreate);
  find("cuEventDestroy_v2", d.eventDestroy);
  find("cuEventRecord", d.eventRecord);
  find("cuEventSynchronize", d.eventSynchronize);
  find("cuEventElapsedTime", d.eventElapsedTime);
  find("cuTensorMapEncodeTiled", d.tensorMapEncodeTiled);
  find("cuGetErrorName", d.getErrorName);
  find("cuGetErrorString", d.getErrorString);
  return missing;
}

Result<const Driver *> start() {
  static Driver driver;
  auto library = Library::open({"libcuda.so.1"}, "CUDA driver");
  if (!library)
    return library.error();
  if (const char *missing = resolve(*library, driver))
    return inputError("the CUDA driver has no " + std::string(missing) +
                      "; a driver for CUDA 12 or newer is needed");
  if (CUresult r = driver.init(0))
    return driver.error("cuInit", "", r);
  return &driver;
}

} // namespace

Result<const Driver *> Driver::get() {
  static std::once_flag once;
  // Never destroyed: kernels in static storage may unload themselves after this file's statics.
  static auto &answer = *new std::optional<Result<const Driver *>>;
  std::call_once(once, [] { answer = start(); });
  return *answer;
}

Error Driver::error(const char *call, const std::string &about, CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) || !name)
    name = "unknown error";
  if (getErrorString(result, &text) || !text)
    text = "no description";
  return inputError(std::string(call) + " failed" + (about.empty() ? "" : " (" + about + ")") +
                    ": " + name + ", " + text);
}

Result<CudaDevice> describeDevice(int device) {
  // CUdevice_attribute of cuda.h
  constexpr int multiprocessorCount = 16, capabilityMajor = 75, capabilityMinor = 76;
  auto driver = Driver::get();
  if (!driver)
    return driver.error();
  const Driver &d = **driver;
  const std::string about = "device " + std::to_string(device);
  char name[256] = "";
  int major = 0, minor = 0, multiprocessors = 0;
  if (CUresult r = d.deviceGetName(name, sizeof name, device))
    return d.error("cuDeviceGetName", about, r);
  for (auto [attribute, value] : {std::pair{capabilityMajor, &major},
                                  {capabilityMinor, &minor},
                                  {multiprocessorCount, &multiprocessors}})
    if (CUresult r = d.deviceGetAttribute(value, attribute, device))
      return d.error("cuDeviceGetAttribute", about, r);
  return CudaDevice{name, 10 * major + minor, multiprocessors};
}

Result<CudaDevice> cudaDevice() {
  auto context = primaryContext(0);
  if (!context)
    return context.error();
  const Driver &d = **Driver::get();
  if (CUresult r = d.contextSetCurrent(*context))
    return d.error("cuCtxSetCurrent", "device 0", r);
  return describeDevice(0);
}

} // namespace sluice
