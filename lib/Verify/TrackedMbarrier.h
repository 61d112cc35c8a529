// An mbarrier with the clocks of its contributions: conditions C1-C4 of docs/proof.md.
#pragma once

#include "Program/BarrierState.h"
#include "Verify/Clock.h"
#include "Verify/Memory.h"

#include <optional>
#include <vector>

namespace sluice {

/// Any event that changes the pending or tx count of a phase, or a wait that has passed.
struct BarrierEvent {
  Stamp stamp;
  int32_t actor = -1;
  const Stmt *stmt = nullptr;
};

/// The one or two strands of a warp that execute an operation; the second may be null.
struct Strands {
  Knowledge *first = nullptr, *second = nullptr;

  bool know(Stamp s) const { return first->order.knows(s) && (!second || second->order.knows(s)); }
  bool fenced(Stamp s) const {
    return first->proxy.knows(s) && (!second || second->proxy.knows(s));
  }
  /// All of an access.
  bool know(const Access &x) const {
    return x.all([this](Stamp s) { return know(s); });
  }
  bool fenced(const Access &x) const {
    return x.all([this](Stamp s) { return fenced(s); });
  }
  /// Behind the fences of tensor memory.
  bool knowBehindFence(const Access &x) const {
    return x.all(
        [this](Stamp s) { return first->after.knows(s) && (!second || second->after.knows(s)); });
  }
  bool see(const Access &x, Clock Sight::*clock) const {
    return x.all([&](Stamp s) { return see(s, clock); });
  }
  /// Through one of the clocks of Sight.
  bool see(Stamp s, Clock Sight::*clock) const {
    return (first->sight.*clock).knows(s) && (!second || (second->sight.*clock).knows(s));
  }
  /// What both know.
  Clock shared() const {
    Clock both = first->order;
    if (second)
      both.meet(second->order);
    return both;
  }
  template <typename Action> void each(Action action) const {
    action(*first);
    if (second)
      action(*second);
  }
  void learn(Stamp s) const {
    each([&](Knowledge &k) { k.learn(s); });
  }
  void join(const Knowledge &other) const {
    each([&](Knowledge &k) { k.join(other); });
  }
};

/// Who sees through a barrier what the contributor of an event sees.
enum class Release : uint8_t {
  nobody,  // relaxed; a copy engine; a release of .cta scope from another CTA
  cta,     // waits of any scope: from the own CTA
  cluster, // waits of .cluster scope: from another CTA
};

/// One contribution to a phase.
struct Contribution {
  bool arrival = false, raisesTx = false;
  Release release = Release::nobody;
  std::optional<Stamp> end; // of an asynchronous operation: it and its writes, which all waits see
  bool fenced = false;      // tcgen05.commit: the end is in front of its fence::before_thread_sync
};

/// What went wrong with an event, and the earlier event that it is about.
struct BarrierFault {
  enum Kind {
    earlyContribution, // C1: `other`, of the phase before, is not known
    laggingWait,       // C2: the phase before the one waited for may not have completed
    overtakenWait,     // C3: the phase after may complete before wait `other` has looked
    unobserved,        // no wait has found the phase before complete
    unannouncedBytes,  // C4: the phase may complete before expect_tx `other`
    tooFewBytes,       // C1 of a copy that the phase before, which `other` is of, did not announce
  } kind;
  BarrierEvent other;
};

class TrackedMbarrier {
public:
  MbarrierState state;
  std::optional<BarrierEvent> init, ended; // mbarrier.init, and mbarrier.inval of the life before
  std::optional<Stamp> initFence;          // fence.mbarrier_init by the thread that initialised
  std::vector<int32_t> blocked;            // actors to wake when a phase completes

  /// C1 of a contribution by `who`. Nothing when it holds.
  std::optional<BarrierFault> mayContribute(const Strands &who) const;
  /// Records it and what it carries.
  void contribute(const BarrierEvent &event, const Strands &who, const Contribution &what);
  /// The phase just contributed to has completed: C3 and C4, then on to the next.
  std::optional<BarrierFault> complete();
  /// C2 of a wait that passes; then it learns the phase, unless C2 fails. `cluster`: the wait
  /// acquires at cluster scope.
  std::optional<BarrierFault> pass(const BarrierEvent &wait, const Strands &who, bool cluster);
  /// Events of the current phase, for reports.
  const std::vector<BarrierEvent> &contributions() const { return current_; }
  // What later checks look up.
  const std::vector<BarrierEvent> &previous() const { return previous_; }
  const std::vector<BarrierEvent> &beforePrevious() const { return beforePrevious_; }
  const std::vector<BarrierEvent> &expects() const { return expects_; }
  const std::vector<BarrierEvent> &waits() const { return waits_; }
  const Knowledge &joined() const { return joined_; }
  const Clock &joinedArrivals() const { return joinedArrivals_; }
  const Knowledge &completed() const { return completed_; }
  const Sight &joinedCluster() const { return joinedCluster_; }
  const Sight &completedCluster() const { return completedCluster_; }
  void reset();

private:
  std::vector<BarrierEvent> current_, previous_, beforePrevious_; // contributions of f, f-1, f-2
  std::vector<BarrierEvent> expects_;      // of phase f, that are not arrivals themselves
  std::vector<BarrierEvent> waits_;        // passed on phase f-1
  Knowledge joined_, completed_;           // of phases f and f-1
  Sight joinedCluster_, completedCluster_; // what only waits of .cluster scope see
  Clock joinedArrivals_;                   // of phase f
};

} // namespace sluice
