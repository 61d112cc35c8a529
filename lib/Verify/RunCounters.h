// The counters in global memory of a canonical run, where that has the whole grid of one launch,
// and the numbers drawn from counters that nobody waits for (R38).
#pragma once

#include "Verify/Counters.h"
#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunCounters : public RunPart {
public:
  using RunPart::RunPart;

  using CounterKey = std::pair<int, std::vector<int64_t>>; // tensor, indices

  Step counterAdd(Actor &a, const Stmt &s, const CounterAdd &op);
  Step counterWait(Actor &a, const Stmt &s, const CounterWait &op);
  std::string counterName(const CounterKey &key) const;
  static CounterKey counterKey(const ProofAgent &agent, const View &counter);
  int64_t valueOf(const CounterKey &key) { return counters_[key].value(); }

private:
  std::optional<CounterKey> counterAt(Actor &a, const Stmt &s, const View &counter);
  /// R38: the own CTA's adds do not suffice.
  Step waitsForOthers(Actor &a, const Stmt &s, const CounterKey &key,
                      const TrackedCounter &counter);
  Step leaves32Bits(Actor &a, const Stmt &s, const std::string &counter, int64_t value);
  Step notFollowed(Actor &a, const Stmt &s, const CounterKey &key, const BarrierEvent &other);
  // RunNumbers.cpp
  Step draw(Actor &a, const Stmt &s, const CounterAdd &op);
  Step placeAmongOthers(Actor &a, const CounterAdd &op, const CounterProtocol &protocol);

  std::map<CounterKey, TrackedCounter> counters_;
  std::map<std::pair<int, int64_t>, int64_t> draws_; // so far: (cluster, tensor); every launch: 0
};

} // namespace sluice
