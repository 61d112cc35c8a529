// A warp or a pipe in the canonical run: its position in the program and what it knows.
#pragma once

#include "Verify/Scalars.h"
#include "Verify/TrackedMbarrier.h"

#include <deque>

namespace sluice {

/// What of an agent is a component of the clocks. Those of queues and arrivals have a number from
/// the first event on, so that clocks are no longer than what happens.
enum class Strand : int32_t {
  lanes,
  elected,
  wgmmas,
  bulkReads,
  bulkWrites,
  copies,
  electedCopies,
  arrivals, // of cp.async: of the elected lane, of all lanes
  laneArrivals,
  initialisations, // mbarrier.init and fence.mbarrier_init
  products,        // tcgen05.mma of the elected lane
  tensorLoads,     // tcgen05.ld
  tensorStores,    // tcgen05.st
};

/// Asynchronous operations of one agent that complete in order, in groups.
struct Queue {
  int32_t component = -1; // -1: nothing has been issued
  uint32_t issued = 0;
  std::deque<uint32_t> groups; // value of `issued` at each commit that is not waited for

  void commit() { groups.push_back(issued); }
  /// Leaves the newest `pending` groups; the stamp that the waiter learns.
  Stamp wait(int64_t pending) {
    Stamp learnt{component, 0};
    for (; static_cast<int64_t>(groups.size()) > pending; groups.pop_front())
      learnt.count = groups.front();
    return learnt;
  }
};

struct Actor {
  Actor(ProofAgent walker, int32_t number, int ctaInGroup)
      : agent(std::move(walker)), index(number), cta(ctaInGroup) {}

  ProofAgent agent;
  int32_t index;
  int cta; // of the group

  // A warp is two strands: what all its lanes know, and what the elected lane knows. They meet at
  // operations that the warp executes converged. Ascend uses the first alone.
  Knowledge lanes, elected;
  int32_t lanesComponent = -1, electedComponent = -1;
  uint32_t steps = 0;                // events of either strand
  uint32_t told = 0, toldCopies = 0; // of them, of `copies`: what each lane knows of the others'

  Queue wgmmas, bulkReads;
  Queue products, tensorLoads, tensorStores; // of tensor memory; a commit or wait: for all so far
  Queue copies,
      electedCopies;        // cp.async of all lanes, of the elected lane: groups are a lane's own
  int32_t bulkWrites = -1;  // component; same numbers as bulkReads
  uint32_t initialised = 0; // events of Strand::initialisations
  uint32_t wgmmaFence = 0;  // value of `steps` at the last wgmma.fence
  bool wgmmaFenced = false;

  /// Whether each lane knows of the others' parts of an access by all of them.
  bool areTold(const Access &access) const;

  uint32_t drained = 0; // Ascend: value of `steps` at the last barrier on this pipe

  bool done = false;
  bool previousEnded = false; // griddepcontrol.wait
  bool hasAddress = false;    // of tensor memory
  bool arrived = false;       // in the barrier that it is blocked on (named, cluster, all pipes)
  bool released = false;      // that barrier has completed
  Clock shownEnds; // what relaxed cluster barriers have shown: ends of copies, for R10 alone
  int64_t clusterPhase = -1; // Number of the cluster barrier phase arrived in and not waited for
};

/// The strands of a warp meet.
inline void converge(Actor &a) {
  a.lanes.join(a.elected);
  a.elected.join(a.lanes);
}
/// All lanes have learnt `from` (RunLanes.cpp).
void tellLanes(Actor &a, const Knowledge &from);
inline Queue &copiesOf(Actor &a, const Stmt &s) {
  return s.exec == Exec::threads ? a.copies : a.electedCopies;
}

} // namespace sluice
