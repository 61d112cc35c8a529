#include "Runtime/GpuState.h"

#include "Runtime/Driver.h"

namespace sluice {
namespace {

/// nvmlFieldValue_t.
struct NvmlField {
  unsigned id = 0, scope = 0;
  int64_t timestamp = 0, latency = 0; // microseconds
  int type = 0, status = 0;
  union {
    unsigned number;
    uint64_t space = 0;
  };
};

/// NVML, as in nvml.h; 0 is success.
struct Nvml {
  using Device = void *;
  int (*init)();
  int (*deviceByPciBusId)(const char *, Device *);
  int (*clockInfo)(Device, int clock, unsigned *mhz);
  int (*fieldValues)(Device, int count, NvmlField *);
  int (*enforcedPowerLimit)(Device, unsigned *milliwatts);
};
constexpr int smClock = 1, typeUnsigned = 1;
constexpr unsigned powerInstant = 186; // milliwatts; nvmlDeviceGetPowerUsage is a mean of a second

std::optional<Nvml> openNvml() {
  auto library = Library::open({"libnvidia-ml.so.1"}, "NVML");
  Nvml n{};
  if (!library || !library->find("nvmlInit_v2", n.init) ||
      !library->find("nvmlDeviceGetHandleByPciBusId_v2", n.deviceByPciBusId) ||
      !library->find("nvmlDeviceGetClockInfo", n.clockInfo) ||
      !library->find("nvmlDeviceGetFieldValues", n.fieldValues) ||
      !library->find("nvmlDeviceGetEnforcedPowerLimit", n.enforcedPowerLimit) || n.init() != 0)
    return std::nullopt;
  return n;
}

} // namespace

std::optional<GpuState> gpuState() {
  static const std::optional<Nvml> nvml = openNvml();
  const Driver &d = **Driver::get();
  CUdevice device = 0;
  char id[32] = {};
  Nvml::Device handle = nullptr;
  if (!nvml || d.contextGetDevice(&device) != 0 ||
      d.deviceGetPCIBusId(id, sizeof id, device) != 0 || nvml->deviceByPciBusId(id, &handle) != 0)
    return std::nullopt;
  unsigned mhz = 0, limit = 0;
  NvmlField power;
  power.id = powerInstant;
  if (nvml->clockInfo(handle, smClock, &mhz) != 0 || nvml->fieldValues(handle, 1, &power) != 0 ||
      power.status != 0 || power.type != typeUnsigned ||
      nvml->enforcedPowerLimit(handle, &limit) != 0)
    return std::nullopt;
  return GpuState{static_cast<int>(mhz), power.number / 1000.0, limit / 1000.0};
}

} // namespace sluice
