#include "Runtime/Watchdog.h"

#include "Runtime/Driver.h"
#include "Runtime/Library.h"

#include <cstring>

namespace sluice {

Result<Watchdog> Watchdog::create() {
  constexpr unsigned deviceMap = 2;        // CU_MEMHOSTALLOC_DEVICEMAP of cuda.h
  if (auto device = cudaDevice(); !device) // makes the context current
    return device.error();
  auto driver = Driver::get();
  auto library = Library::open({"libcuda.so.1", "libcuda.so"}, "CUDA driver");
  if (!library)
    return library.error();
  CUresult (*allocate)(void **, size_t bytes, unsigned flags) = nullptr;
  CUresult (*addressOf)(CUdeviceptr *, void *host, unsigned flags) = nullptr;
  if (!library->find("cuMemHostAlloc", allocate) ||
      !library->find("cuMemHostGetDevicePointer_v2", addressOf))
    return inputError("the CUDA driver is older than CUDA 12");
  void *memory = nullptr;
  CUdeviceptr device = 0;
  const size_t bytes = records * sizeof(WatchdogNote);
  if (CUresult r = allocate(&memory, bytes, deviceMap))
    return (*driver)->error("cuMemHostAlloc", "the watchdog's records", r);
  std::memset(memory, 0, bytes);
  if (CUresult r = addressOf(&device, memory, 0))
    return (*driver)->error("cuMemHostGetDevicePointer", "the watchdog's records", r);
  Watchdog watchdog;
  watchdog.host_ = static_cast<const WatchdogNote *>(memory);
  watchdog.device_ = device;
  return watchdog;
}

std::vector<WatchdogNote> Watchdog::notes() const {
  std::vector<WatchdogNote> found;
  for (int64_t i = 0; i < records; ++i)
    if (host_[i].state != WatchdogNote::none) {
      WatchdogNote note;
      std::memcpy(&note, const_cast<const WatchdogNote *>(&host_[i]), sizeof note);
      found.push_back(note);
    }
  return found;
}

} // namespace sluice
