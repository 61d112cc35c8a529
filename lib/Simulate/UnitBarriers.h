// The mbarriers of a unit.
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitBarriers : public UnitPart {
public:
  explicit UnitBarriers(const UnitLinks &links);

  struct MbarrierSlot {
    MbarrierState state;
    double completedAt = 0;
    std::vector<int> waiters;
  };
  struct BarrierPlace {
    MbarrierSlot *slot = nullptr;
    int cta = 0, object = 0;
    int64_t index = 0;
  };

  BarrierPlace place(Actor &a, const Stmt &s, const MbarrierRef &ref);
  BarrierPlace placeAt(int cta, const BarrierPlace &like);
  std::string nameOf(const BarrierPlace &p) const;
  void settle(const BarrierPlace &p, MbarrierState::Outcome outcome, const Stmt &s);

  Step wait(Actor &a, const Stmt &s, const MbarrierWait &op);
  Step test(Actor &a, const Stmt &s, const MbarrierTest &op);
  Step initialise(Actor &a, const Stmt &s, const MbarrierInit &op);
  Step invalidate(Actor &a, const Stmt &s, const MbarrierInval &op);
  Step arrive(Actor &a, const Stmt &s, const MbarrierArrive &op);
  Step arriveExpectTx(Actor &a, const Stmt &s, const MbarrierArriveExpectTx &op);
  Step expectTx(Actor &a, const Stmt &s, const MbarrierExpectTx &op);
  Step arriveAfterCopies(Actor &a, const Stmt &s, const CpAsyncArrive &op);

private:
  std::vector<std::vector<std::vector<MbarrierSlot>>> mbarriers_; // by CTA, array, slot
};

} // namespace sluice
