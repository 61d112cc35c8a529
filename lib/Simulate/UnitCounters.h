// Operations of a unit on the counters that its CTAs share with others.
#pragma once

#include "Simulate/Counters.h"
#include "Simulate/UnitPart.h"

namespace sluice {

class UnitCounters : public UnitPart {
public:
  UnitCounters(const UnitLinks &links, Counters &counters) : UnitPart(links), counters_(counters) {}

  Step counterAdd(Actor &a, const Stmt &s, const CounterAdd &op);
  Step counterWait(Actor &a, const Stmt &s, const CounterWait &op);
  int64_t valueOf(const Counters::Key &key) const { return counters_.value(key); }

private:
  std::optional<Counters::Key> counterKey(const Actor &a, const Stmt &s, const View &counter);
  Step draw(Actor &a, const Stmt &s, const CounterAdd &op);

  Counters &counters_;
};

} // namespace sluice
