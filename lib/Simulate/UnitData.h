// Synchronous data operations of a unit: the agent is busy until they end, and then their values
// change.
#pragma once

#include "Simulate/UnitViews.h"

namespace sluice {

class UnitData : public UnitViews {
public:
  using UnitViews::UnitViews;

  Step begin(Actor &a, const Stmt &s);
  void finish(Actor &a, const Stmt &s);

private:
  void finishValues(Actor &a, const Stmt &s);
  double copyEnd(Actor &a, const Stmt &s, const Copy &op);
  double computeEnd(Actor &a, const Stmt &s);
  std::vector<int> receivers(const Actor &a, const Copy &op) const;
  void finishCrossing(Actor &a, const Copy &op);
  void finishCopy(Actor &a, const Stmt &s, const Copy &op);
  void finishMmad(Actor &a, const Stmt &s, const Mmad &op);
  void finishPrint(Actor &a, const Stmt &s, const Print &op);
  void finishMap(Actor &a, const Stmt &s, const Map &op);
  void finishRaw(Actor &a, const Stmt &s, const Raw &op);
  void finishReduce(Actor &a, const Stmt &s, const Reduce &op);
};

/// Results first: the first register tile among them says which rows a warp has.
std::vector<const View *> operandsOf(const Map &op);

} // namespace sluice
