// Memory in which a kernel with bounded waits tells what its warps wait on: seen by the host even
// after the kernel has trapped. device/sluice/watchdog.cuh writes it.
#pragma once

#include "Support/Result.h"

#include <cstdint>
#include <vector>

namespace sluice {

/// As WatchdogRecord of device/sluice/watchdog.cuh.
struct WatchdogNote {
  enum State : uint32_t { none, inside, expired };
  uint32_t sync, state;
  uint32_t cta[3], warp;
  uint32_t offset, parity;
  uint64_t seen;
  uint32_t phase, awaited;
};
static_assert(sizeof(WatchdogNote) == 48);

class Watchdog {
public:
  static constexpr int64_t records = 65536; // SLUICE_WATCHDOG_RECORDS

  /// Pinned memory of device 0's primary context, all zero. It stays until the process ends: a
  /// kernel that hangs may still write to it.
  static Result<Watchdog> create();
  uint64_t deviceAddress() const { return device_; }
  /// What has been written, CTA after CTA.
  std::vector<WatchdogNote> notes() const;

private:
  const volatile WatchdogNote *host_ = nullptr;
  uint64_t device_ = 0;
};

} // namespace sluice
