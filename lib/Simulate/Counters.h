// Counters in global memory, which join the CTAs of a grid, and flags that join all its cores.
#pragma once

#include "Simulate/AllCores.h"
#include "Simulate/World.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sluice {

class Unit;

class Counters {
public:
  /// One i32 of a tensor: its number, its indices.
  using Key = std::pair<int, std::vector<int64_t>>;
  struct Waiter {
    Unit *unit;
    int actor;
    int64_t value;
  };

  explicit Counters(const World &world) : allCores(world), world_(world) {}

  int64_t value(const Key &key) const {
    const auto at = slots_.find(key);
    return at == slots_.end() ? initial(key) : at->second.value;
  }
  /// Adds; those whose wait the sum lets pass.
  std::vector<Waiter> add(const Key &key, int64_t value, double time);
  void wait(const Key &key, const Waiter &waiter) { slot(key).waiters.push_back(waiter); }
  /// When the counter last changed.
  double changedAt(const Key &key) const {
    const auto at = slots_.find(key);
    return at == slots_.end() ? 0 : at->second.changedAt;
  }
  /// At the end of a launch: one of a workspace that is not zero again, which the next launch
  /// needs; or a flag that is left set.
  std::optional<Violation> leftBehind();

  AllCores allCores;

private:
  struct Slot {
    int64_t value = 0;
    double changedAt = 0;
    std::vector<Waiter> waiters;
  };
  int64_t initial(const Key &key) const; // what the tensor holds; 0 in a run without values
  Slot &slot(const Key &key);

  const World &world_;
  std::map<Key, Slot> slots_;
};

} // namespace sluice
