// A run that was written down, to be asked what in the program brings its violation about.
#pragma once

#include "Diagnose/Turns.h"
#include "Program/Program.h"
#include "Verify/Offence.h"

#include <optional>
#include <set>
#include <string>

namespace sluice {

/// `fix` empty: as the violation has it.
struct Reason {
  std::string because, fix;
};

class Recorded {
public:
  Recorded(const Program &program, const Journal &journal, const Offence &offence)
      : program_(program), journal_(journal), entries_(journal.entries()), offence_(offence),
        turns_(journal) {}

  /// Of R4 and R5.
  std::optional<Reason> causeOfPhases(const std::string &rule) const;
  /// Of R9, where nothing of the phase has come.
  std::optional<Reason> causeOfDeadlock() const;
  /// Of what an agent does wrong behind its last wait.
  std::optional<Reason> causeBehindWait() const {
    return entries_.empty() ? std::nullopt : staleWait(turns_.lastWait(acting(), size() - 1));
  }

private:
  int32_t size() const { return static_cast<int32_t>(entries_.size()); }
  int32_t acting() const { return entries_.back().actor; }
  static Turns::Ring ringOf(const JournalObject &object) {
    return {std::get<0>(object), std::get<1>(object)};
  }
  int64_t slotsOf(const Turns::Ring &ring) const { return program_.mbarriers[ring.second].slots; }
  std::string who(int32_t entry) const; // "wait of mma warp 0 of CTA (0) at f:1:2"

  // RecordedPhases.cpp
  std::vector<int32_t> waitsOfThisRound() const;
  std::optional<Reason> staleBesides() const;
  std::optional<Reason> staleWait(int32_t wait) const;
  std::optional<Reason> oneSlotTooFew(const std::string &rule) const;
  bool waitsFor(int32_t since) const;
  std::optional<Reason> freeTwice() const;
  std::optional<Reason> tooManySignals() const;
  int32_t doneSince(int32_t wait) const;
  bool followsLike(int32_t entry, int32_t turn) const;
  std::optional<Reason> sharedTurns() const;
  std::optional<Reason> sameTurn(int32_t other) const;

  // RecordedSlots.cpp
  std::optional<Reason> slotsDiffer(const std::set<int32_t> &involved) const;
  bool goesRound(const std::vector<Turn> &turns, size_t at) const;
  Reason differAt(const Turns::Ring &ring, int64_t turn, const Turn &wait,
                  const Turn &signal) const;

  // RecordedDeadlocks.cpp
  int32_t nextAtBarrier(size_t member) const;
  int32_t stuckAt(int32_t actor) const;
  std::optional<Reason> tooFewSlots(int32_t producer, int32_t holder) const;
  std::optional<Reason> nothingComesBack() const;
  bool signalledSomewhere(int array) const;
  bool hadBefore(int32_t stuck) const;
  bool fills(int32_t signal) const;
  std::optional<Reason> wrongStart(int32_t actor) const;
  Reason wrongPhase(int32_t stuck, const std::string &otherwise) const;
  Reason wrongFirstWait(int32_t stuck) const;

  const Program &program_;
  const Journal &journal_;
  const std::vector<JournalEntry> &entries_;
  const Offence &offence_;
  Turns turns_;
};

} // namespace sluice
