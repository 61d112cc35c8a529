// Whether CTAs come to a counter one after the other, in every launch (docs/proof.md).
#pragma once

#include "Verify/CounterVisits.h"

#include <string>

namespace sluice {

class CounterTurns {
public:
  /// Of an add that every visit comes to once, and the value that it waits for before.
  CounterTurns(const Program &program, const Sources &sources, const AccessSite &add,
               const Index &awaited);

  /// What is not so; empty: they take turns.
  std::string missing() const;

private:
  LinearForm turn(CounterVisits &visits, int which) const {
    return visits.forms().index(awaited_, which);
  }
  LinearForm after(CounterVisits &visits, int which) const {
    return turn(visits, which) + visits.forms().index(adds_.value, which);
  }
  bool goesOn(bool up) const;
  bool areDisjoint() const;
  bool haveOneBefore() const;
  bool isBefore(size_t d, int64_t step) const;

  const Program &program_;
  const Sources &sources_;
  const AccessSite &add_;
  const CounterAdd &adds_;
  const Index awaited_;
};

} // namespace sluice
