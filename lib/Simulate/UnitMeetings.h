// Where the agents of a unit meet: named barriers, the cluster's, all pipes of a core, the start of
// the measured region.
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitMeetings : public UnitPart {
public:
  explicit UnitMeetings(const UnitLinks &links);

  struct Rendezvous {
    int64_t threads = 0, arrived = 0;
    std::vector<int> waiters;
  };

  Step namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op);
  Step clusterBarrier(Actor &a, const ClusterBarrier &op);
  Step pipeBarrier(Actor &a, const PipeBarrier &op);
  Step epoch(Actor &a);
  // Who still has to come may have ended, or nothing more be in flight.
  void tryCluster();
  void tryPipes(int cta);
  void tryEpoch();

  const Rendezvous &named(int cta, int64_t id) { return named_[{cta, id}]; }
  const Rendezvous &pipesOf(int cta) const { return pipes_[cta]; }
  const Rendezvous &cluster() const { return cluster_; }
  const Rendezvous &atEpoch() const { return epoch_; }

private:
  std::map<std::pair<int, int64_t>, Rendezvous> named_; // (CTA, id)
  std::vector<Rendezvous> pipes_;                       // by CTA
  Rendezvous cluster_, epoch_;
  int64_t clusterPhase_ = 0;
  double clusterShows_ = 0; // when the arrivals that the cluster barrier orders have landed
};

} // namespace sluice
