// Kernels that hang on the device: what the watchdog has written, in the words of `check`.
#pragma once

#include "Program/Program.h"
#include "Runtime/Watchdog.h"
#include "Simulate/Simulate.h"

#include <functional>
#include <memory>

namespace sluice::tool {

/// Nanoseconds that a wait may take under --watchdog; far above what any tile takes.
constexpr int64_t kLongestWait = 2'000'000'000;

/// One entry per warp that waits.
std::vector<Blocked> blockedIn(const Program &program, const std::vector<WatchdogNote> &notes);

/// "kernel ring hangs: 9 warps wait for more than 2 s"
std::string hangSummary(const Program &program, const std::vector<WatchdogNote> &notes);

/// What a hang breaks: R9, with those that wait.
Violation hang(const Program &program, const std::vector<WatchdogNote> &notes);

/// Tells of a hang and returns the exit code.
using TellHang = std::function<int(const std::vector<WatchdogNote> &)>;

/// While it lives: a kernel whose warps are all inside barriers of the hardware, where no wait ever
/// expires, is told of, and this process ends.
class HangGuard {
public:
  HangGuard(const Watchdog &watchdog, TellHang tell);
  ~HangGuard();
  HangGuard(const HangGuard &) = delete;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace sluice::tool
