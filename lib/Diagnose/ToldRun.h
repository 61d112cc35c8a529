// A canonical run that has met a violation, once more, to tell of it: written down, with who would
// have had to do what. What it checks are the rules of CanonicalRun, and no verdict rests on it.
#pragma once

#include "Diagnose/Journal.h"
#include "Verify/Run.h"

namespace sluice {

class ToldRun : public CanonicalRun {
public:
  ToldRun(Context &context, Coordinates first) : CanonicalRun(context, first) {}

  /// Writes everything that happens from now on into `journal`.
  void record(Journal &journal) { journal_ = &journal; }

private:
  /// Who would signal what a blocked agent waits for, were it not blocked itself.
  struct Signaller {
    enum Kind { unknown, nobody, found } kind = unknown;
    int32_t actor = -1;
    const Stmt *stmt = nullptr;
  };

  // ToldRun.cpp: races with their fix, what blocked agents wait for
  Step race(const Buffer &buffer, const Cell &cell, const Access &first, bool firstWrites,
            const Access &second, bool secondWrites) override;
  std::string fixInTensor(const Actor &a, const Stmt &s, const Access &prior, bool priorWrites,
                          const std::string &tensor) const override;
  /// Fills in parties, counts and fix of a violation from offence_ and its message.
  void complete(Violation &violation, int32_t actor, const Stmt &s) override;
  std::string fixFor(const Actor &a, const Stmt &s, const Access &prior, bool priorWrites) const;
  std::string waitedRelease(const Actor &a) const;
  std::string fixForPeer(const Actor &a, const std::string &slot, int peer) const;
  const MbarrierState &stateOf(const Actor &a, const MbarrierWait &wait) const;
  Blocked blockedState(Actor &a);

  // ToldRunDeadlock.cpp
  Violation deadlock() override;
  Signaller signallerOf(const Actor &blocked) const;
  Signaller passesFor(const Actor &blocked, const Stmt &s) const;
  bool scalarUnitStands(const Actor &a, const std::vector<Signaller> &signallers);
  /// Blocked agents, each waiting for the next.
  std::vector<int32_t> chainFrom(int32_t actor, const std::vector<Signaller> &signallers);
  int tellingOf(const Actor &a, const Signaller &by) const;
  int32_t startOfDeadlock(const std::vector<Signaller> &signallers);
  bool passedBy(const Actor &a, const MbarrierWait &wait) const;
  std::string circle(const Actor &start, const std::vector<Signaller> &signallers);
  std::vector<int32_t> circleOf(const Actor &start, const std::vector<Signaller> &signallers);
  bool hadSlot(const Actor &a) const;
  std::string fixOfDeadlock(const Actor &a, const std::vector<Signaller> &signallers);

  // ToldRunJournal.cpp
  Step execute(Actor &a, const Stmt &s) override;
  void starts(Stamp end) override;
  /// Those that an operation signals, waits for or initialises; none where the slot does not exist.
  std::vector<BarrierPlace> barriersOf(const Actor &a, const Stmt &s);
  Step recorded(Actor &a, const Stmt &s);
  void recordEffects(const Actor &a, const Stmt &s, const Journal::Object &object);
  void recordMeeting(const Actor &a, const Stmt &s);
  void advanceMeeting(const Actor &a, const Stmt &s);
  void recordFlags(const Actor &a, const Stmt &s, int64_t clusterPhase);
  void recordBlocked();

  Journal *journal_ = nullptr;
};

} // namespace sluice
