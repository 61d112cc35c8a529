#include "Simulate/Counters.h"

#include <algorithm>

namespace sluice {

int64_t Counters::initial(const Key &key) const {
  return world_.values() ? static_cast<int64_t>((*world_.tensors)[key.first].at(key.second)) : 0;
}

Counters::Slot &Counters::slot(const Key &key) {
  const auto [at, isNew] = slots_.try_emplace(key);
  if (isNew)
    at->second.value = initial(key);
  return at->second;
}

std::vector<Counters::Waiter> Counters::add(const Key &key, int64_t value, double time) {
  Slot &s = slot(key);
  s.value += value;
  s.changedAt = time;
  if (world_.values())
    (*world_.tensors)[key.first].set(key.second, static_cast<double>(s.value));
  const auto stay = std::stable_partition(s.waiters.begin(), s.waiters.end(),
                                          [&](const Waiter &w) { return w.value > s.value; });
  std::vector<Waiter> passing(stay, s.waiters.end());
  s.waiters.erase(stay, s.waiters.end());
  return passing;
}

} // namespace sluice
