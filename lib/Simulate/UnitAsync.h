// Asynchronous data operations of a unit: issued by a warp, done by an engine, finished later.
#pragma once

#include "Simulate/UnitBarriers.h"
#include "Simulate/UnitViews.h"

namespace sluice {

class UnitAsync : public UnitViews {
public:
  using UnitViews::UnitViews;
  using BarrierPlace = UnitBarriers::BarrierPlace;

  Step tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op);
  Step tmaStore(Actor &a, const Stmt &s, const TmaStore &op);
  Step wgmma(Actor &a, const Stmt &s, const Wgmma &op);
  Step remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op);
  Step cpAsync(Actor &a, const Stmt &s, const Copy &op);
  Step waitGroups(Actor &a, Groups &groups, int64_t pending, bool read);
  void checkGroups(Actor &a);

private:
  Step storeToPeer(Actor &a, const Stmt &s, const RemoteCopy &op, const BarrierPlace &barrier);
};

} // namespace sluice
