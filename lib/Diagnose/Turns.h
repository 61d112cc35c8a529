// The turns of rings in one run: who waited for which phase of which slot, and who signalled it.
#pragma once

#include "Diagnose/Journal.h"

#include <map>
#include <utility>
#include <vector>

namespace sluice {

/// A phase of a slot; -1 is the one that a fresh barrier looks as if it had completed.
struct Turn {
  int64_t slot, phase;
  int32_t entry; // of the journal: the first operation of the agent in this turn
};

class Turns {
public:
  using Ring = std::pair<int, int>; // CTA, mbarrier array
  using Sides = std::map<int32_t, std::vector<Turn>>;

  explicit Turns(const Journal &journal);

  /// Rings that somebody waits for.
  const std::map<Ring, Sides> &waits() const { return waits_; }
  /// By actor, each turn once, in the order of the run.
  const Sides &waitsOn(const Ring &ring) const { return of(waits_, ring); }
  const Sides &signalsOn(const Ring &ring) const { return of(signals_, ring); }
  std::vector<Turn> waitsBy(int32_t actor, const Ring &ring) const;
  std::vector<Turn> signalsBy(int32_t actor, const Ring &ring) const;

  /// The phase that a wait was for, or that a signal counted for.
  static int64_t phaseOf(const JournalEntry &entry);
  static bool waits(const JournalEntry &entry);
  /// An earlier wait of the same agent for the same phase; -1: none.
  int32_t waitedBefore(int32_t entry) const;
  /// The last wait of an actor before an entry; -1: none.
  int32_t lastWait(int32_t actor, int32_t before) const;

private:
  bool goesOn(const Turn &before, const Turn &now) const;
  static const Sides &of(const std::map<Ring, Sides> &all, const Ring &ring);

  const std::vector<JournalEntry> &entries_;
  std::map<Ring, Sides> waits_, signals_;
};

} // namespace sluice
