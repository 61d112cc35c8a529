#include "Bench/ClockStamps.h"

#include "Runtime/Compile.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace sluice {
namespace {

constexpr const char *kernelName = "clock_stamps";
constexpr const char *text = R"(
// PTX ISA "%clock64", "%globaltimer", "%smid".
extern "C" __global__ void clock_stamps(unsigned long long *readings) {
  unsigned sm;
  unsigned long long clocks, ns;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clocks)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  if (threadIdx.x == 0) {
    readings[2 * sm] = clocks;
    readings[2 * sm + 1] = ns;
  }
}
)";
// So much that an SM takes one CTA at a time: all SMs get one.
constexpr unsigned sharedBytes = 200 * 1024;
constexpr size_t readingBytes = 2 * sizeof(uint64_t);

} // namespace

Result<ClockStamps> ClockStamps::create(int spans) {
  constexpr int maxDynamicSharedBytes = 8;
  auto device = cudaDevice();
  if (!device)
    return device.error();
  const Driver &d = **Driver::get();
  auto cubin = compileCuda(text, kernelName);
  if (!cubin)
    return cubin.error();
  const size_t bytes = 2 * size_t(spans) * size_t(device->multiprocessors) * readingBytes;
  auto readings = DeviceMemory::allocate(int64_t(bytes), "clock stamps");
  if (!readings)
    return readings.error();
  CUmodule module = nullptr;
  if (CUresult r = d.moduleLoadData(&module, cubin->data()))
    return d.error("cuModuleLoadData", kernelName, r);
  ClockStamps stamps(module, std::move(*readings), spans, device->multiprocessors);
  if (CUresult r = d.moduleGetFunction(&stamps.function_, module, kernelName))
    return d.error("cuModuleGetFunction", kernelName, r);
  if (CUresult r = d.functionSetAttribute(stamps.function_, maxDynamicSharedBytes, sharedBytes))
    return d.error("cuFuncSetAttribute", kernelName, r);
  if (CUresult r = d.memsetD8(stamps.readings_.address(), 0, bytes))
    return d.error("cuMemsetD8", kernelName, r);
  return stamps;
}

ClockStamps::ClockStamps(ClockStamps &&o) noexcept
    : module_(std::exchange(o.module_, nullptr)), function_(o.function_),
      readings_(std::move(o.readings_)), spans_(o.spans_), multiprocessors_(o.multiprocessors_) {}

ClockStamps::~ClockStamps() {
  if (module_)
    (*Driver::get())->moduleUnload(module_);
}

std::optional<Error> ClockStamps::read(int reading) const {
  const Driver &d = **Driver::get();
  CUdeviceptr to = readings_.address() + size_t(reading) * size_t(multiprocessors_) * readingBytes;
  void *parameters[] = {&to};
  const CUlaunchConfig config{
      unsigned(multiprocessors_), 1, 1, 32, 1, 1, sharedBytes, nullptr, nullptr, 0};
  if (CUresult r = d.launchKernel(&config, function_, parameters, nullptr))
    return d.error("cuLaunchKernelEx", kernelName, r);
  return std::nullopt;
}

Result<std::vector<double>> ClockStamps::megahertz() const {
  const Driver &d = **Driver::get();
  const size_t sms = size_t(multiprocessors_);
  std::vector<uint64_t> readings(4 * size_t(spans_) * sms);
  if (CUresult r = d.contextSynchronize())
    return d.error("cuCtxSynchronize", kernelName, r);
  if (CUresult r = d.copyToHost(readings.data(), readings_.address(), 8 * readings.size()))
    return d.error("cuMemcpyDtoH", kernelName, r);
  std::vector<double> clock;
  for (size_t span = 0; span < size_t(spans_); ++span) {
    double clocks = 0, ns = 0; // of SMs that both readings have met
    for (size_t sm = 0; sm < sms; ++sm) {
      const uint64_t *from = &readings[4 * span * sms + 2 * sm], *to = from + 2 * sms;
      if (from[1] == 0 || to[1] <= from[1])
        continue;
      clocks += double(to[0] - from[0]);
      ns += double(to[1] - from[1]);
    }
    clock.push_back(ns > 0 ? 1000 * clocks / ns : 0);
  }
  return clock;
}

} // namespace sluice
