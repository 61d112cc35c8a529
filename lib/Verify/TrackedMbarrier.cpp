#include "Verify/TrackedMbarrier.h"

#include "Verify/Conditions.h"

#include <utility>

namespace sluice {
namespace {

/// Adds an event; of one component the newest stands for all.
void add(std::vector<BarrierEvent> &events, const BarrierEvent &event) {
  for (BarrierEvent &e : events)
    if (e.stamp.component == event.stamp.component) {
      e = event;
      return;
    }
  events.push_back(event);
}

} // namespace

std::optional<BarrierFault> TrackedMbarrier::mayContribute(const Strands &who) const {
  for (const BarrierEvent &e : previous_)
    if (conditions().c1 && !who.know(e.stamp))
      return BarrierFault{BarrierFault::earlyContribution, e};
  return {};
}

void TrackedMbarrier::contribute(const BarrierEvent &event, const Strands &who,
                                 const Contribution &what) {
  add(current_, event);
  who.each([&](const Knowledge &k) {
    joined_.order.join(k.order);
    joined_.proxy.join(k.proxy);
    if (what.arrival)
      joinedArrivals_.join(k.order);
    if (what.release == Release::cta)
      joined_.sight.join(k.sight);
    else if (what.release == Release::cluster)
      joinedCluster_.join(k.sight);
  });
  if (what.end) {
    joined_.learn(*what.end);
    if (what.fenced)
      joined_.sight.columns.learn(*what.end);
    if (what.arrival)
      joinedArrivals_.learn(*what.end);
  }
  if (!what.arrival && what.raisesTx)
    add(expects_, event);
}

std::optional<BarrierFault> TrackedMbarrier::complete() {
  for (const BarrierEvent &e : expects_)
    if (conditions().c4 && !joinedArrivals_.knows(e.stamp))
      return BarrierFault{BarrierFault::unannouncedBytes, e};
  for (const BarrierEvent &w : waits_)
    if (conditions().c3 && !joined_.order.knows(w.stamp))
      return BarrierFault{BarrierFault::overtakenWait, w};
  if (conditions().observed && state.phase() >= 2 && waits_.empty())
    return BarrierFault{BarrierFault::unobserved, previous_.back()};
  beforePrevious_ = std::move(previous_);
  previous_ = std::move(current_);
  current_.clear();
  expects_.clear();
  waits_.clear();
  std::swap(completed_, joined_);
  joined_.clear();
  std::swap(completedCluster_, joinedCluster_);
  joinedCluster_.clear();
  joinedArrivals_.clear();
  return {};
}

std::optional<BarrierFault> TrackedMbarrier::pass(const BarrierEvent &wait, const Strands &who,
                                                  bool cluster) {
  if (state.phase() >= 2)
    for (const BarrierEvent &e : beforePrevious_)
      if (conditions().c2 && !who.know(e.stamp))
        return BarrierFault{BarrierFault::laggingWait, e};
  add(waits_, wait);
  if (state.phase() < 1)
    return {};
  who.join(completed_);
  if (cluster)
    who.each([&](Knowledge &k) { k.sight.join(completedCluster_); });
  return {};
}

void TrackedMbarrier::reset() {
  current_.clear();
  previous_.clear();
  beforePrevious_.clear();
  expects_.clear();
  waits_.clear();
  joined_.clear();
  joinedArrivals_.clear();
  completed_.clear();
  joinedCluster_.clear();
  completedCluster_.clear();
}

} // namespace sluice
