#include "Simulate/Counters.h"

#include "Program/WorkspaceCounters.h"

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
  s.value = static_cast<int32_t>(s.value + value); // wraps, as red and atom do
  s.changedAt = time;
  if (world_.values())
    (*world_.tensors)[key.first].set(key.second, static_cast<double>(s.value));
  const auto stay = std::stable_partition(s.waiters.begin(), s.waiters.end(),
                                          [&](const Waiter &w) { return w.value > s.value; });
  std::vector<Waiter> passing(stay, s.waiters.end());
  s.waiters.erase(stay, s.waiters.end());
  return passing;
}

std::optional<Violation> Counters::leftBehind() {
  for (const auto &[key, slot] : slots_) {
    const Tensor &tensor = world_.program.tensors[key.first];
    if (!holdsCounters(tensor) || slot.value == 0)
      continue;
    std::string name = tensor.name + "[";
    for (size_t d = 0; d < key.second.size(); ++d)
      name += (d ? "," : "") + std::to_string(key.second[d]);
    name += "]";
    return Violation{"R38",
                     "counter " + name + " of a workspace is " + std::to_string(slot.value) +
                         " at the end, and the next launch begins with zero. Let who is known to "
                         "be the last add what brings it back",
                     tensor.loc,
                     name,
                     {}};
  }
  return allCores.leftBehind();
}

} // namespace sluice
