#include "Verify/Counters.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {

void TrackedCounter::add(Add what) {
  value_ += what.value;
  sums_[what.cta] += what.value;
  if (what.value > 0) {
    adds_.push_back(std::move(what));
    highest_ = std::max(highest_, value_);
    return;
  }
  base_ = value_;
  lowered_ = what.event;
  adds_.clear();
  waits_.clear();
}

int64_t TrackedCounter::sumOf(int cta) const {
  const auto at = sums_.find(cta);
  return at == sums_.end() ? 0 : at->second;
}

std::vector<const TrackedCounter::Add *> TrackedCounter::neededFor(int64_t least) const {
  std::vector<const Add *> needed;
  for (const Add &a : adds_) {
    int64_t without = base_ + a.value - a.single;
    for (const Add &other : adds_)
      if (&other != &a && !other.shared.knows(a.event.stamp))
        without += other.value;
    if (without < least)
      needed.push_back(&a);
  }
  return needed;
}

namespace {

/// What means the CTAs of one cluster, and would mean all of the grid in a run of all.
bool ofCluster(const Operation &op) {
  const auto remote = [](const MbarrierRef &b) { return b.remote.has_value(); };
  if (auto *o = std::get_if<MbarrierArrive>(&op))
    return remote(o->barrier);
  if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op))
    return remote(o->barrier);
  if (auto *o = std::get_if<MbarrierExpectTx>(&op))
    return remote(o->barrier);
  if (auto *o = std::get_if<TmaLoad>(&op))
    return remote(o->barrier) || o->multicast;
  if (auto *o = std::get_if<Tcgen05Commit>(&op))
    return o->multicast;
  if (auto *o = std::get_if<ClcTryCancel>(&op))
    return o->multicast;
  return std::holds_alternative<ClusterBarrier>(op) || std::holds_alternative<RemoteCopy>(op);
}

} // namespace

Result<std::array<int64_t, 3>> joinedGroup(const Program &program,
                                           const std::array<int64_t, 3> &grid) {
  Location counter, cluster;
  walk(program.body, [&](const Stmt &s) {
    if (std::holds_alternative<CounterAdd>(s.op) || std::holds_alternative<CounterWait>(s.op))
      counter = s.loc;
    if (ofCluster(s.op))
      cluster = s.loc;
  });
  const int64_t ctas = grid[0] * grid[1] * grid[2];
  const int64_t *c = program.cluster;
  if (c[0] * c[1] * c[2] == ctas)
    return grid;
  if (c[0] * c[1] * c[2] > 1)
    return unsupportedError("check a launch of one cluster: counters join the clusters of the "
                            "grid, and the proof follows one at a time",
                            counter);
  if (cluster.line)
    return unsupportedError("counters join the CTAs of the grid, and the proof does not follow "
                            "cluster operations beside them",
                            cluster);
  if (ctas > maxJoinedCtas)
    return unsupportedError("check a smaller launch: counters join the " + std::to_string(ctas) +
                                " CTAs of the grid, and the proof follows " +
                                std::to_string(maxJoinedCtas) + " at a time",
                            counter);
  return grid;
}

} // namespace sluice
