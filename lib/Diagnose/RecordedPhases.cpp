// Causes of contributions and waits that meet the wrong phase.
#include "Diagnose/Recorded.h"

#include "Verify/Names.h"

namespace sluice {

std::optional<Reason> Recorded::causeOfPhases(const std::string &rule) const {
  if (!offence_.other.stmt)
    return {};
  const int32_t other = journal_.find(offence_.other);
  std::set<int32_t> involved{acting()};
  if (other >= 0)
    involved.insert(entries_[other].actor);
  if (auto differ = slotsDiffer(involved))
    return differ;
  if (rule == "R5" && other >= 0 && Turns::waits(entries_[other]))
    if (auto stale = staleWait(other))
      return stale;
  for (const int32_t wait : waitsOfThisRound())
    if (auto stale = staleWait(wait))
      return stale;
  if (auto few = oneSlotTooFew(rule))
    return few;
  if (rule == "R4")
    if (auto twice = freeTwice())
      return twice;
  if (offence_.kind == Offence::misread)
    return sharedTurns();
  const auto same = rule == "R5" ? sameTurn(other) : std::nullopt;
  return same ? same : tooManySignals();
}

/// The waits of the acting agent since it last did what broke the rule, newest first.
std::vector<int32_t> Recorded::waitsOfThisRound() const {
  std::vector<int32_t> waits;
  if (entries_.back().object && Turns::waits(entries_.back()))
    waits.push_back(size() - 1);
  for (int32_t i = size() - 1; i-- > 0;) {
    const JournalEntry &e = entries_[i];
    if (e.actor != acting())
      continue;
    if (e.stmt == entries_.back().stmt)
      break;
    if (e.object && Turns::waits(e))
      waits.push_back(i);
  }
  return waits;
}

/// A wait that has found what its agent had found before.
std::optional<Reason> Recorded::staleWait(int32_t wait) const {
  if (wait < 0 || entries_[wait].blocked)
    return {};
  const JournalEntry &e = entries_[wait];
  const int32_t before = turns_.waitedBefore(wait);
  if (before < 0)
    return {};
  const int64_t phase = Turns::phaseOf(e);
  return Reason{"The parity is stale: " + who(wait) + " for " + e.barrier + " parity " +
                    std::to_string(e.parity) + " passes at once, on " +
                    (phase < 0 ? "the fresh barrier" : "phase " + std::to_string(phase)) +
                    ", as it has before" + place(entries_[before].stmt->loc),
                "Take the parity from the ring's cursor, which flips it with every round of the "
                "ring and goes on from loop to loop"};
}

/// An agent that begins every slot of a ring, and one of them again, without waiting for the end
/// of what it has begun.
std::optional<Reason> Recorded::oneSlotTooFew(const std::string &rule) const {
  const JournalEntry &last = entries_.back();
  if (!last.object || Turns::waits(last))
    return {};
  const Turns::Ring ring = ringOf(*last.object);
  const int64_t slots = slotsOf(ring);
  const std::vector<Turn> own = turns_.signalsBy(acting(), ring);
  if (static_cast<int64_t>(own.size()) < slots + 1 || (slots == 1 && rule == "R5"))
    return {};
  const Turn &before = own[own.size() - 1 - slots];
  if (before.slot != own.back().slot || (slots == 1 && entries_[before.entry].stmt != last.stmt) ||
      waitsFor(before.entry))
    return {};
  const std::string &array = program_.mbarriers[ring.second].name;
  return Reason{"The ring has one slot too few for what runs ahead: " + last.agent + " begins " +
                    std::to_string(slots + 1) + " turns of " + array +
                    " before it has waited for the end of one, and " + array + " has " +
                    std::to_string(slots) + (slots == 1 ? " slot" : " slots"),
                "Wait for phase " + std::to_string(last.phase - 1) + " of " + last.barrier +
                    " (or for something that follows it) first, or run at most " +
                    std::to_string(slots) + (slots == 1 ? " turn" : " turns") + " ahead"};
}

/// Whether the acting agent has waited for something that was signalled, since an entry.
bool Recorded::waitsFor(int32_t since) const {
  for (int32_t i = since; i < size(); ++i)
    if (entries_[i].actor == acting() && entries_[i].object && Turns::waits(entries_[i]) &&
        Turns::phaseOf(entries_[i]) >= 0)
      return true;
  return false;
}

/// A slot that is given back before anything was waited for, and taken as free at the start.
std::optional<Reason> Recorded::freeTwice() const {
  const JournalEntry &last = entries_.back();
  int32_t fresh = -1, given = -1;
  for (int32_t i = 0; i < size(); ++i) {
    const JournalEntry &e = entries_[i];
    if (!e.object || e.object != last.object)
      continue;
    if (Turns::waits(e) && Turns::phaseOf(e) < 0)
      fresh = i;
    else if (std::holds_alternative<MbarrierArrive>(e.stmt->op) && turns_.lastWait(e.actor, i) < 0)
      given = i;
  }
  if (fresh < 0 || given < 0)
    return {};
  return Reason{"The slot is free twice over: " + who(given) + " gives " + last.barrier +
                    " back before it has waited for anything, and " + who(fresh) +
                    " takes it as free at the start, by parity 1",
                "Leave one of them out: do not signal before the first wait, or start with "
                "parity 0"};
}

/// More arrivals that follow one turn than the barrier counts for a phase, or than one iteration
/// makes.
std::optional<Reason> Recorded::tooManySignals() const {
  const JournalEntry &last = entries_.back();
  const int32_t turn = turns_.lastWait(acting(), size() - 1);
  if (turn < 0 || !last.object || Turns::waits(last))
    return {};
  if (const int32_t before = doneSince(turn); before >= 0)
    return Reason{"A wait is passed over: since the one" + place(entries_[turn].stmt->loc) + ", " +
                      who(before) + " has signalled " + entries_[before].barrier +
                      (entries_[before].barrier == last.barrier
                           ? ", and signals it again"
                           : ", and now signals " + last.barrier),
                  "Wait in every iteration that signals"};
  int64_t count = 0, arrivals = 0;
  for (int32_t i = 0; i < size(); ++i)
    for (const BarrierEffect &effect : entries_[i].effects) {
      if (effect.object != *last.object)
        continue;
      if (effect.kind == BarrierEffect::init)
        count = effect.amount;
      else if (effect.kind == BarrierEffect::arrive && followsLike(i, turn))
        arrivals += effect.amount;
    }
  if (arrivals <= count)
    return {};
  return Reason{
      "The count is too small: " + last.barrier + " is initialised with " + std::to_string(count) +
          ", and more arrivals than that follow one turn, phase " +
          std::to_string(Turns::phaseOf(entries_[turn])) + " of " + entries_[turn].barrier,
      "The count of the initialisation must be the number of arrivals of one turn"};
}

/// Where the acting agent has done what broke the rule since its last wait; -1: nowhere.
int32_t Recorded::doneSince(int32_t wait) const {
  for (int32_t i = size() - 1; i-- > wait;)
    if (entries_[i].actor == acting() && entries_[i].stmt == entries_.back().stmt)
      return i;
  return -1;
}

/// Whether the last wait of its agent was for the same turn, in whichever CTA.
bool Recorded::followsLike(int32_t entry, int32_t turn) const {
  const int32_t own = turns_.lastWait(entries_[entry].actor, entry);
  if (own < 0)
    return false;
  const auto &[ctaA, arrayA, slotA] = *entries_[own].object;
  const auto &[ctaB, arrayB, slotB] = *entries_[turn].object;
  return arrayA == arrayB && slotA == slotB &&
         Turns::phaseOf(entries_[own]) == Turns::phaseOf(entries_[turn]);
}

/// A wait that passes early because the phase before was that of another role.
std::optional<Reason> Recorded::sharedTurns() const {
  const JournalEntry &last = entries_.back();
  int32_t other = -1;
  for (int32_t i = 0; i < size() - 1; ++i) {
    const JournalEntry &e = entries_[i];
    if (!e.object || e.object != last.object || !Turns::waits(e) ||
        Turns::phaseOf(e) != Turns::phaseOf(last) - 1)
      continue;
    if (e.actor == acting() || e.stmt == last.stmt)
      return {};
    other = i;
  }
  if (other < 0)
    return {};
  return Reason{"The turns of " + last.barrier + " are shared: phase " +
                    std::to_string(Turns::phaseOf(last) - 1) + " is waited for by " + who(other) +
                    ", and nothing of that is known here",
                ""};
}

/// Two agents of different roles that take one turn for theirs.
std::optional<Reason> Recorded::sameTurn(int32_t other) const {
  if (other < 0 || entries_[other].actor == acting() ||
      entries_[other].stmt == entries_.back().stmt)
    return {};
  const int32_t here = turns_.lastWait(acting(), size() - 1);
  const int32_t there = turns_.lastWait(entries_[other].actor, other);
  if (here < 0 || there < 0 || entries_[here].object != entries_[there].object ||
      Turns::phaseOf(entries_[here]) != Turns::phaseOf(entries_[there]))
    return {};
  return Reason{"Both follow one turn, phase " + std::to_string(Turns::phaseOf(entries_[here])) +
                    " of " + entries_[here].barrier + ": " + who(here) + " and " + who(there) +
                    " count the slots differently from who fills them",
                "Let each side pass over the turns that the other takes"};
}

} // namespace sluice
