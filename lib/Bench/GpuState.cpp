#include "Bench/GpuState.h"

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
  int (*totalEnergy)(Device, unsigned long long *millijoules); // since the driver was loaded
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
      !library->find("nvmlDeviceGetEnforcedPowerLimit", n.enforcedPowerLimit) ||
      !library->find("nvmlDeviceGetTotalEnergyConsumption", n.totalEnergy) || n.init() != 0)
    return std::nullopt;
  return n;
}

const std::optional<Nvml> &nvml() {
  static const std::optional<Nvml> opened = openNvml();
  return opened;
}

/// The current context's device; null where NVML does not know it.
Nvml::Device currentDevice() {
  const Driver &d = **Driver::get();
  CUdevice device = 0;
  char id[32] = {};
  Nvml::Device handle = nullptr;
  if (!nvml() || d.contextGetDevice(&device) != 0 ||
      d.deviceGetPCIBusId(id, sizeof id, device) != 0 || nvml()->deviceByPciBusId(id, &handle) != 0)
    return nullptr;
  return handle;
}

} // namespace

std::optional<GpuState> gpuState() {
  const Nvml::Device device = currentDevice();
  unsigned mhz = 0, limit = 0;
  NvmlField power;
  power.id = powerInstant;
  if (!device || nvml()->clockInfo(device, smClock, &mhz) != 0 ||
      nvml()->fieldValues(device, 1, &power) != 0 || power.status != 0 ||
      power.type != typeUnsigned || nvml()->enforcedPowerLimit(device, &limit) != 0)
    return std::nullopt;
  return GpuState{static_cast<int>(mhz), power.number / 1000.0, limit / 1000.0};
}

std::optional<double> boardEnergy() {
  const Nvml::Device device = currentDevice();
  unsigned long long millijoules = 0;
  if (!device || nvml()->totalEnergy(device, &millijoules) != 0)
    return std::nullopt;
  return double(millijoules) / 1000;
}

} // namespace sluice
