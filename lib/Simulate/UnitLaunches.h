// Requests of a unit for clusters that have not been launched, and their responses.
#pragma once

#include "Simulate/Launches.h"
#include "Simulate/UnitBarriers.h"
#include "Simulate/UnitNumbers.h"

#include <set>

namespace sluice {

class UnitLaunches : public UnitViews {
public:
  UnitLaunches(const UnitLinks &links, Launches &launches)
      : UnitViews(links), launches_(launches) {}

  Step tryCancel(Actor &a, const Stmt &s, const ClcTryCancel &op);
  /// A CTA has read that no cluster is left: it asks no more (R46).
  void sawNone(int cta) { sawNone_.insert(cta); }

private:
  /// Where a response comes to.
  struct Receiver {
    int cta;
    UnitBarriers::BarrierPlace barrier;
    Tile response; // in a run with values
  };

  int64_t nextNumber();
  std::vector<Receiver> receivers(Actor &a, const Stmt &s, const ClcTryCancel &op);

  Launches &launches_;
  std::set<int> sawNone_; // CTAs
};

} // namespace sluice
