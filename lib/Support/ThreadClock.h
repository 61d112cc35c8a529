// The processor time of a thread: limits that count it mean the same on a machine that does other
// work beside.
#pragma once

#include <chrono>
#include <ctime>

namespace sluice {

struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec passed{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &passed);
    return time_point(std::chrono::seconds(passed.tv_sec) +
                      std::chrono::nanoseconds(passed.tv_nsec));
  }
};

} // namespace sluice
