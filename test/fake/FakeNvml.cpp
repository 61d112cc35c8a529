// An NVML for tests without a GPU: 1.5 GHz, 600 of 700 W, and at every question 100 J more.
#include <cstdint>

namespace {

struct Field { // nvmlFieldValue_t
  unsigned id, scope;
  int64_t timestamp, latency;
  int type, status;
  uint64_t number;
};

} // namespace

extern "C" {

int nvmlInit_v2() {
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *, void **device) {
  static int any;
  *device = &any;
  return 0;
}
int nvmlDeviceGetClockInfo(void *, int, unsigned *mhz) {
  *mhz = 1500;
  return 0;
}
int nvmlDeviceGetFieldValues(void *, int, Field *field) {
  field->type = 1; // unsigned
  field->status = 0;
  field->number = 600'000;
  return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(void *, unsigned *milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *, unsigned long long *millijoules) {
  static unsigned long long counted = 0;
  *millijoules = counted += 100'000;
  return 0;
}

} // extern "C"
