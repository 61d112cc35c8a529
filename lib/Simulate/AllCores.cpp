#include "Simulate/AllCores.h"

#include <algorithm>

namespace sluice {

int64_t AllCores::met(const Key &key) {
  const Flag &flag = flags_[key];
  if (static_cast<int64_t>(flag.sets.size()) < cores(key))
    return 0;
  return std::ranges::min_element(flag.sets, {}, [](const auto &s) { return s.second; })->second;
}

std::vector<AllCores::Waiter> AllCores::set(const Key &key, int64_t core, double time) {
  Flag &flag = flags_[key];
  const int64_t before = met(key);
  ++flag.sets[core];
  if (met(key) == before)
    return {};
  flag.metAt = time;
  const auto stay = std::stable_partition(flag.waiters.begin(), flag.waiters.end(),
                                          [&](const Waiter &w) { return !passes(key, w.core); });
  std::vector<Waiter> passing(stay, flag.waiters.end());
  flag.waiters.erase(stay, flag.waiters.end());
  for (const Waiter &w : passing)
    take(key, w.core);
  return passing;
}

std::string AllCores::text(const Key &key) {
  return "set by " + std::to_string(flags_[key].sets.size()) + " of " + std::to_string(cores(key)) +
         " cores";
}

std::optional<Violation> AllCores::leftBehind() {
  for (const auto &[key, flag] : flags_)
    for (const auto &[core, sets] : flag.sets)
      if (const auto taken = flag.taken.find(core);
          (taken == flag.taken.end() ? 0 : taken->second) != sets)
        return Violation{"R35",
                         "cross-core flag " + std::to_string(key.second) +
                             ", which all cores set, is not back to zero at the end",
                         world_.program.loc,
                         "cross " + std::to_string(key.second),
                         {}};
  return {};
}

} // namespace sluice
