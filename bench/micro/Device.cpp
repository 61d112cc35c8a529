#include "Device.h"

#include "Runtime/Compile.h"
#include "Runtime/Timing.h"

#include <cstdio>
#include <cstdlib>

namespace sluice::micro {
namespace {

constexpr int64_t outputBytes = 1 << 20, noiseBytes = int64_t{256} << 20;

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(2);
}

template <typename T> T orFail(Result<T> result) {
  if (!result)
    fail(result.error().message);
  return std::move(*result);
}

} // namespace

void Device::check(const char *call, CUresult result) const {
  if (result)
    fail(driver_.error(call, "", result).message);
}

Device::Device(const std::string &text)
    : device_(orFail(cudaDevice())), driver_(*orFail(Driver::get())),
      data_(orFail(DeviceMemory::allocate(dataBytes, "data"))),
      outputs_(orFail(DeviceMemory::allocate(outputBytes, "outputs"))),
      noise_(orFail(DeviceMemory::allocate(noiseBytes, "noise"))), out_(outputs_.address()) {
  const std::string cubin = orFail(compileCuda(text, "microbenchmarks"));
  check("cuModuleLoadData", driver_.moduleLoadData(&module_, cubin.data()));
  check("cuMemsetD8", driver_.memsetD8(data_.address(), 0x2b, dataBytes));
}

CUtensorMap Device::map(CUdeviceptr data, int64_t allRows, int rows) const {
  constexpr int f16 = 6, noInterleave = 0, swizzle128 = 3, promotion256 = 3, fillZero = 0;
  const uint64_t extents[2] = {64, uint64_t(allRows)}, strides[1] = {128};
  const uint32_t box[2] = {64, uint32_t(rows)}, steps[2] = {1, 1};
  CUtensorMap map;
  check("cuTensorMapEncodeTiled",
        driver_.tensorMapEncodeTiled(&map, f16, 2, reinterpret_cast<void *>(data), extents, strides,
                                     box, steps, noInterleave, swizzle128, promotion256, fillZero));
  return map;
}

void Device::launch(const std::string &kernel, Shape shape, std::vector<void *> arguments) {
  constexpr int maxDynamicSharedBytes = 8;            // CU_FUNC_ATTRIBUTE_...
  constexpr int clusterDimension = 4, overlapped = 6; // CU_LAUNCH_ATTRIBUTE_...
  Loaded &loaded = functions_[kernel];
  if (!loaded.function)
    check("cuModuleGetFunction",
          driver_.moduleGetFunction(&loaded.function, module_, kernel.c_str()));
  if (loaded.sharedBytes != shape.sharedBytes)
    check("cuFuncSetAttribute", driver_.functionSetAttribute(loaded.function, maxDynamicSharedBytes,
                                                             int(shape.sharedBytes)));
  loaded.sharedBytes = shape.sharedBytes;
  CUlaunchAttribute attributes[2];
  attributes[0].id = clusterDimension;
  attributes[0].value[0] = int(shape.cluster);
  attributes[0].value[1] = attributes[0].value[2] = 1;
  attributes[1].id = overlapped;
  attributes[1].value[0] = shape.early;
  const CUlaunchConfig config{shape.ctas, 1,          1, shape.threads, 1, 1, shape.sharedBytes,
                              nullptr,    attributes, 2};
  check("cuLaunchKernelEx",
        driver_.launchKernel(&config, loaded.function, arguments.data(), nullptr));
}

void Device::wait() const {
  check("cuCtxSynchronize", driver_.contextSynchronize());
}

std::vector<double> Device::numbers(const std::string &kernel, Shape shape,
                                    std::vector<void *> arguments, int count) {
  check("cuMemsetD8", driver_.memsetD8(out_, 0xff, size_t(count) * 8));
  launch(kernel, shape, std::move(arguments));
  wait();
  std::vector<uint64_t> raw(count);
  check("cuMemcpyDtoH", driver_.copyToHost(raw.data(), out_, raw.size() * 8));
  return {raw.begin(), raw.end()};
}

double Device::interval(const std::string &kernel, Shape shape, std::vector<void *> arguments) {
  constexpr int launches = 200;
  const auto call = [&]() -> std::optional<Error> {
    launch(kernel, shape, arguments);
    return std::nullopt;
  };
  orFail(timeCalls(call, launches));
  return 1000 * orFail(timeCalls(call, launches));
}

void Device::flush() {
  check("cuMemsetD8", driver_.memsetD8(noise_.address(), 0x35, noiseBytes));
  wait();
}

} // namespace sluice::micro
