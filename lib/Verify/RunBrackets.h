// The counters of a canonical run for every launch: what its CTA does between a wait for the others
// and its own add (CounterOrder.h).
#pragma once

#include "Verify/Counters.h"
#include "Verify/RunPart.h"

#include <map>
#include <set>
#include <tuple>

namespace sluice {

class RunBrackets : public RunPart {
public:
  using RunPart::RunPart;

  Step awaitOthers(Actor &a, const Stmt &s, const CounterWait &op);
  Step addForOthers(Actor &a, const Stmt &s, const CounterAdd &op);
  /// An add that takes the old value and acquires what came before: where arrivals are followed.
  void arrive(Actor &a, const Stmt &s, int counter);
  /// A core sets its flag of the meeting of all cores, `last` of those of the run; what any of them
  /// knows has ended before a wait passes.
  void setForAll(Actor &a, const Stmt &s, bool last);
  void waitedForAll(const BarrierEvent &wait);
  /// An access of a tensor.
  void bracket(const Actor &a, const Stmt &s, const Access &now, bool writes, const Strands &who);
  bool hasWaited() const;

private:
  friend class NormalForm;

  /// What the CTA has done in a visit to a counter that it shares with the others.
  struct Visit {
    std::vector<BarrierEvent> waits; // passed
    bool added = false;
    /// The last accesses of each statement, by whether it writes and by strand: all earlier ones
    /// end before.
    std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, Access> open; // no add so far
  };

  const CounterProtocol *protocolAt(const Actor &a, const Stmt &s, const View &counter);
  Step inACircle(const Actor &a, const Stmt &s, int waited);
  std::optional<int32_t> visitOf(const Actor &a, const CounterProtocol &protocol) const;
  Visit *visitTo(const Actor &a, const Stmt &s, int counter, const CounterProtocol &protocol);
  void closeBrackets(int counter, Visit &visit, const Strands &who);
  /// CTAs of a cluster come to a counter each for itself, the cores of a block together.
  int visitor(const Actor &a) const { return isAscend(program_.target) ? 0 : a.cta; }

  std::map<std::tuple<int, int, int32_t>, Visit> visits_; // by CTA, tensor and Terms::path
  std::set<int> left_; // counters that visits forgotten by normal forms have waited for
};

} // namespace sluice
