// Where agents of a canonical run meet: named barriers, the cluster's, all pipes of a core (R11,
// R12).
#pragma once

#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunMeetings : public RunPart {
public:
  using RunPart::RunPart;

  /// Named barrier (id) of a CTA; also the rendezvous of all pipes of a core.
  struct HardwareBarrier {
    int64_t threads = 0, arrived = 0; // of the current phase
    std::vector<BarrierEvent> current, previous;
    Knowledge joined;
    Clock prior; // known before their arrival to those who have arrived; for notes alone
    std::vector<int32_t> blocked;
  };
  /// What the arrivals at a cluster barrier hand on.
  struct Meeting {
    Knowledge knowledge;
    Clock ends; // known to relaxed arrivals: an end that has been seen is past for everybody
  };
  struct ClusterState {
    int64_t phase = 0;
    size_t arrived = 0;
    Meeting joined;
    std::map<int64_t, Meeting> completed;
    std::vector<int32_t> blocked;
  };

  Step namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op);
  Step clusterBarrier(Actor &a, const Stmt &s, const ClusterBarrier &op);
  /// Also of one pipe.
  Step pipeBarrier(Actor &a, const Stmt &s, const PipeBarrier &op);
  /// Those of the cluster who have not ended have all arrived.
  void completeCluster();

  const HardwareBarrier &named(int cta, int64_t id) { return named_[{cta, id}]; }
  const HardwareBarrier &pipesOf(const std::string &core) { return pipes_[core]; }
  const ClusterState &cluster() const { return cluster_; }
  /// In the middle of a phase at exit: R14.
  bool leftInPhase();

private:
  friend class NormalForm;

  void observeArrival(const Actor &a, const Stmt &s, HardwareBarrier &b);
  void observeCompletion(const Actor &a, const Stmt &s, HardwareBarrier &b);

  std::map<std::pair<int, int64_t>, HardwareBarrier> named_; // (cta, id)
  std::map<std::string, HardwareBarrier> pipes_;             // core -> rendezvous of its pipes
  ClusterState cluster_;
};

} // namespace sluice
