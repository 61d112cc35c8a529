// Vector clocks of the canonical run (docs/proof.md). A component is a sequential strand of events:
// the lanes of a warp, its elected lane, a queue of asynchronous operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sluice {

/// Event number `count` (from 1) of a component.
struct Stamp {
  int32_t component = -1;
  uint32_t count = 0;
};

class Clock {
public:
  uint32_t operator[](int32_t component) const {
    return static_cast<size_t>(component) < counts_.size() ? counts_[component] : 0;
  }
  bool knows(Stamp s) const { return (*this)[s.component] >= s.count; }
  void learn(Stamp s) {
    if (s.count == 0)
      return; // no event; the component may have no number
    if (static_cast<size_t>(s.component) >= counts_.size())
      counts_.resize(s.component + 1, 0);
    counts_[s.component] = std::max(counts_[s.component], s.count);
  }
  void join(const Clock &other) {
    if (other.counts_.size() > counts_.size())
      counts_.resize(other.counts_.size(), 0);
    uint32_t *mine = counts_.data();
    const uint32_t *theirs = other.counts_.data();
    for (size_t i = 0, n = other.counts_.size(); i < n; ++i)
      mine[i] = std::max(mine[i], theirs[i]);
  }
  /// Keeps what the other knows too.
  void meet(const Clock &other) {
    for (size_t i = 0; i < counts_.size(); ++i)
      counts_[i] = std::min(counts_[i], other[static_cast<int32_t>(i)]);
  }
  void clear() { counts_.clear(); }
  bool empty() const { return counts_.empty(); }
  /// Whether it knows all that `other` knows.
  bool covers(const Clock &other) const {
    for (size_t i = 0; i < other.counts_.size(); ++i)
      if (other.counts_[i] > (*this)[static_cast<int32_t>(i)])
        return false;
    return true;
  }

private:
  std::vector<uint32_t> counts_;
};

/// What a strand can see: of the events that it knows, those whose writes have reached it by a
/// release and an acquire of a scope that takes in both ends, or by the end of an asynchronous
/// operation. `shared` and `global`: the generic writes among them to that memory that a
/// fence.proxy.async has made visible to asynchronous operations. `columns`: operations on tensor
/// memory that their own thread has put in front of a tcgen05.fence::before_thread_sync.
struct Sight {
  Clock memory, shared, global, columns;

  void join(const Sight &other) {
    memory.join(other.memory);
    shared.join(other.shared);
    global.join(other.global);
    columns.join(other.columns);
  }
  void clear() {
    memory.clear();
    shared.clear();
    global.clear();
    columns.clear();
  }
};

/// What a strand knows: `order` is happens-before; `proxy` the generic writes of shared memory
/// among it that a fence.proxy.async has put before later asynchronous ones; `sight` what is
/// visible; `after` the operations on tensor memory of its `columns` that a
/// tcgen05.fence::after_thread_sync of this strand has put before its later ones, its alone.
struct Knowledge {
  Clock order, proxy, after;
  Sight sight;

  /// An event of its own, or the end of an asynchronous operation that it has waited for.
  void learn(Stamp s) {
    order.learn(s);
    sight.memory.learn(s);
  }
  void join(const Knowledge &other) {
    order.join(other.order);
    proxy.join(other.proxy);
    sight.join(other.sight);
  }
  void clear() {
    order.clear();
    proxy.clear();
    after.clear();
    sight.clear();
  }
};

} // namespace sluice
