#include "Runtime/Timing.h"

#include <algorithm>

namespace sluice {

Result<double> timeCalls(const std::function<std::optional<Error>()> &call, int repeats,
                         const std::function<std::optional<Error>()> &after) {
  const Driver &d = **Driver::get();
  CUevent begin = nullptr, end = nullptr;
  float ms = 0;
  auto run = [&]() -> std::optional<Error> {
    if (CUresult r = d.eventCreate(&begin, 0))
      return d.error("cuEventCreate", "", r);
    if (CUresult r = d.eventCreate(&end, 0))
      return d.error("cuEventCreate", "", r);
    if (CUresult r = d.eventRecord(begin, nullptr))
      return d.error("cuEventRecord", "", r);
    for (int i = 0; i < repeats; ++i)
      if (auto failed = call())
        return failed;
    if (CUresult r = d.eventRecord(end, nullptr))
      return d.error("cuEventRecord", "", r);
    if (after)
      if (auto failed = after())
        return failed;
    if (CUresult r = d.eventSynchronize(end))
      return d.error("cuEventSynchronize", "after the launch of the kernel", r);
    if (CUresult r = d.eventElapsedTime(&ms, begin, end))
      return d.error("cuEventElapsedTime", "", r);
    return std::nullopt;
  };
  std::optional<Error> failed = run();
  for (CUevent e : {begin, end})
    if (e)
      d.eventDestroy(e);
  if (failed)
    return *failed;
  return double(ms) / std::max(repeats, 1);
}

Result<double> timeLaunches(const BoundLaunch &launch, int repeats) {
  return timeCalls([&] { return launch.launch(); }, repeats);
}

} // namespace sluice
