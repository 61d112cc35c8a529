// Ascend: flags that join all cores of one kind (CrossCoreSetFlag of mode 0). The flag of every
// core counts how often all of them have set it.
#pragma once

#include "Simulate/World.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sluice {

class Unit;

class AllCores {
public:
  using Key = std::pair<bool, int64_t>; // of vector cores; id
  struct Waiter {
    Unit *unit;
    int actor;
    int64_t core; // number among those of its kind
  };

  explicit AllCores(const World &world) : world_(world) {}

  /// By one core; those whose wait passes now.
  std::vector<Waiter> set(const Key &key, int64_t core, double time);
  bool passes(const Key &key, int64_t core) { return flags_[key].taken[core] < met(key); }
  void take(const Key &key, int64_t core) { ++flags_[key].taken[core]; }
  void wait(const Key &key, const Waiter &waiter) { flags_[key].waiters.push_back(waiter); }
  /// When all cores last had set it.
  double metAt(const Key &key) { return flags_[key].metAt; }
  /// "set by 3 of 8 cores"
  std::string text(const Key &key);
  /// At the end of a launch: a flag that is left set.
  std::optional<Violation> leftBehind();

private:
  struct Flag {
    std::map<int64_t, int64_t> sets, taken; // by core
    double metAt = 0;
    std::vector<Waiter> waiters;
  };
  int64_t cores(const Key &key) const { return world_.ctas() * (key.first ? 2 : 1); }
  /// How often all have set it.
  int64_t met(const Key &key);

  const World &world_;
  std::map<Key, Flag> flags_;
};

} // namespace sluice
