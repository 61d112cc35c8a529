#include "Verify/Causes.h"

#include "Verify/Names.h"
#include "Verify/Turns.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

/// `fix` empty: as the violation has it.
struct Reason {
  std::string because, fix;
};

constexpr const char *oneCursor =
    "Let both sides go through the slots alike, by cursors of one ring that advance in every "
    "iteration and go on from loop to loop";

class Causes {
public:
  Causes(const Program &program, const Journal &journal, const Offence &offence)
      : program_(program), journal_(journal), entries_(journal.entries()), offence_(offence),
        turns_(journal) {}

  std::optional<Reason> of(const Violation &violation) const {
    const std::string &rule = violation.rule;
    if (entries_.empty())
      return {};
    // Where a part of the phase has come, what is missing of it is the cause.
    const bool partial = violation.counts && violation.counts->arrivals > 0;
    if (rule == "R9" && offence_.kind == Offence::stuck)
      return partial ? std::nullopt : ofDeadlock();
    if (rule == "R4" || rule == "R5")
      return ofPhases(rule);
    if (rule == "R21" || rule == "R22" || rule == "R28")
      return ofStaleWait(turns_.lastWait(acting(), size() - 1));
    return {};
  }

private:
  int32_t size() const { return static_cast<int32_t>(entries_.size()); }
  int32_t acting() const { return entries_.back().actor; }
  std::string nameOf(const Turns::Ring &ring, int64_t slot) const {
    return barrierName(program_.mbarriers[ring.second], slot);
  }
  static Turns::Ring ringOf(const JournalObject &object) {
    return {std::get<0>(object), std::get<1>(object)};
  }
  int64_t slotsOf(const Turns::Ring &ring) const { return program_.mbarriers[ring.second].slots; }
  std::string who(int32_t entry) const {
    const JournalEntry &e = entries_[entry];
    return operationName(e.stmt->op) + " of " + e.agent + place(e.stmt->loc);
  }
  static std::string slotsText(int64_t slots) {
    return std::to_string(slots) + (slots == 1 ? " slot" : " slots");
  }

  // ---- Phases ----------------------------------------------------------------------------------

  std::optional<Reason> ofPhases(const std::string &rule) const {
    const int32_t other = journal_.find(offence_.other);
    std::set<int32_t> involved{acting()};
    if (other >= 0)
      involved.insert(entries_[other].actor);
    if (auto differ = slotsDiffer(involved))
      return differ;
    if (rule == "R5" && other >= 0 && Turns::waits(entries_[other]))
      if (auto stale = ofStaleWait(other))
        return stale;
    for (const int32_t wait : waitsOfThisRound())
      if (auto stale = ofStaleWait(wait))
        return stale;
    if (auto few = oneSlotTooFew(rule))
      return few;
    const auto same = rule == "R5" ? sameTurn(other) : std::nullopt;
    return same ? same : countTooSmall();
  }

  /// The waits of the acting agent since it last did what broke the rule, newest first.
  std::vector<int32_t> waitsOfThisRound() const {
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
  std::optional<Reason> ofStaleWait(int32_t wait) const {
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
  std::optional<Reason> oneSlotTooFew(const std::string &rule) const {
    const JournalEntry &last = entries_.back();
    if (!last.object || Turns::waits(last))
      return {};
    const Turns::Ring ring = ringOf(*last.object);
    const int64_t slots = slotsOf(ring);
    const std::vector<Turn> own = turns_.signalsBy(acting(), ring);
    if (static_cast<int64_t>(own.size()) < slots + 1 || (slots == 1 && rule == "R5"))
      return {};
    const Turn &before = own[own.size() - 1 - slots];
    if (before.slot != own.back().slot ||
        (slots == 1 && entries_[before.entry].stmt != last.stmt) || waitsFor(before.entry))
      return {};
    const std::string &array = program_.mbarriers[ring.second].name;
    return Reason{"The ring has one slot too few for what runs ahead: " + last.agent + " begins " +
                      std::to_string(slots + 1) + " turns of " + array +
                      " before it has waited for the end of one, and " + array + " has " +
                      slotsText(slots),
                  "Wait for phase " + std::to_string(last.phase - 1) + " of " + last.barrier +
                      " (or for something that follows it) first, or run at most " +
                      std::to_string(slots) + (slots == 1 ? " turn" : " turns") + " ahead"};
  }

  /// Whether the acting agent has waited for something that was signalled, since an entry.
  bool waitsFor(int32_t since) const {
    for (int32_t i = since; i < size(); ++i)
      if (entries_[i].actor == acting() && entries_[i].object && Turns::waits(entries_[i]) &&
          Turns::phaseOf(entries_[i]) >= 0)
        return true;
    return false;
  }

  /// More arrivals that follow one turn than the barrier counts for a phase.
  std::optional<Reason> countTooSmall() const {
    const JournalEntry &last = entries_.back();
    const int32_t turn = turns_.lastWait(acting(), size() - 1);
    if (turn < 0 || !last.object)
      return {};
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
        "The count is too small: " + last.barrier + " is initialised with " +
            std::to_string(count) + ", and more arrivals than that follow one turn, phase " +
            std::to_string(Turns::phaseOf(entries_[turn])) + " of " + entries_[turn].barrier,
        "The count of the initialisation must be the number of arrivals of one turn"};
  }

  /// Whether the last wait of its agent was for the same turn, in whichever CTA.
  bool followsLike(int32_t entry, int32_t turn) const {
    const int32_t own = turns_.lastWait(entries_[entry].actor, entry);
    if (own < 0)
      return false;
    const auto &[ctaA, arrayA, slotA] = *entries_[own].object;
    const auto &[ctaB, arrayB, slotB] = *entries_[turn].object;
    return arrayA == arrayB && slotA == slotB &&
           Turns::phaseOf(entries_[own]) == Turns::phaseOf(entries_[turn]);
  }

  /// Two agents of different roles that take one turn for theirs.
  std::optional<Reason> sameTurn(int32_t other) const {
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

  // ---- Slots -----------------------------------------------------------------------------------

  /// The turns of the agent that came farthest; nothing where agents go different ways.
  static std::vector<Turn> common(const Turns::Sides &sides, bool fresh) {
    std::vector<Turn> longest;
    for (const auto &[actor, all] : sides) {
      std::vector<Turn> turns = all;
      if (!fresh)
        std::erase_if(turns, [](const Turn &t) { return t.phase < 0; });
      const size_t shared = std::min(turns.size(), longest.size());
      for (size_t i = 0; i < shared; ++i)
        if (turns[i].slot != longest[i].slot)
          return {};
      if (turns.size() > longest.size())
        longest = std::move(turns);
    }
    return longest;
  }

  static bool takePart(const Turns::Sides &sides, const std::set<int32_t> &actors) {
    return std::ranges::any_of(sides, [&](const auto &side) { return actors.count(side.first); });
  }

  /// The first turn that is signalled in one slot and waited for in another.
  std::optional<Reason> slotsDiffer(const std::set<int32_t> &involved) const {
    for (const auto &[ring, waiters] : turns_.waits()) {
      const Turns::Sides &signallers = turns_.signalsOn(ring);
      if (slotsOf(ring) < 2 || !(takePart(waiters, involved) || takePart(signallers, involved)))
        continue;
      const std::vector<Turn> waits = common(waiters, false), signals = common(signallers, true);
      for (size_t i = 0; i < std::min(waits.size(), signals.size()); ++i)
        if (waits[i].slot != signals[i].slot && repeats(waits, i) && repeats(signals, i))
          return differAt(ring, static_cast<int64_t>(i), waits[i], signals[i]);
    }
    return {};
  }

  /// Whether the operation of a turn is met in another turn: it goes round the ring.
  bool repeats(const std::vector<Turn> &turns, size_t at) const {
    for (size_t i = 0; i < turns.size(); ++i)
      if (i != at && entries_[turns[i].entry].stmt == entries_[turns[at].entry].stmt)
        return true;
    return false;
  }

  Reason differAt(const Turns::Ring &ring, int64_t turn, const Turn &wait,
                  const Turn &signal) const {
    return {"The two sides count the slots of " + program_.mbarriers[ring.second].name +
                " differently: turn " + std::to_string(turn) + " (from 0) is signalled on " +
                nameOf(ring, signal.slot) + " by " + who(signal.entry) + ", and waited for on " +
                nameOf(ring, wait.slot) + " by " + who(wait.entry),
            oneCursor};
  }

  // ---- Deadlocks -------------------------------------------------------------------------------

  std::optional<Reason> ofDeadlock() const {
    std::set<int32_t> involved(offence_.circle.begin(), offence_.circle.end());
    involved.insert(offence_.actor);
    if (auto differ = slotsDiffer(involved))
      return differ;
    if (auto start = ofWrongStart(offence_.actor))
      return start;
    for (const int32_t actor : offence_.circle)
      if (auto start = ofWrongStart(actor))
        return start;
    for (size_t i = 0; i < offence_.circle.size(); ++i)
      if (auto capacity =
              tooFewSlots(offence_.circle[i], offence_.circle[(i + 1) % offence_.circle.size()]))
        return capacity;
    return offence_.circle.empty() ? ofAllHeld() : std::nullopt;
  }

  /// Where an agent is stuck; -1: not at an mbarrier.
  int32_t stuckAt(int32_t actor) const {
    for (int32_t i = size(); i-- > 0;)
      if (entries_[i].actor == actor)
        return entries_[i].blocked && entries_[i].object ? i : -1;
    return -1;
  }

  /// `producer` waits for a slot to come back, which `holder` would give.
  std::optional<Reason> tooFewSlots(int32_t producer, int32_t holder) const {
    const int32_t here = stuckAt(producer), there = stuckAt(holder);
    if (here < 0 || there < 0 || !hadBefore(here))
      return {};
    const Turns::Ring empty = ringOf(*entries_[here].object),
                      full = ringOf(*entries_[there].object);
    if (empty == full)
      return {};
    const int64_t slots = slotsOf(empty);
    const auto filled = static_cast<int64_t>(turns_.signalsBy(producer, full).size());
    const auto held = static_cast<int64_t>(turns_.waitsBy(holder, full).size()) - 1 -
                      static_cast<int64_t>(turns_.signalsBy(holder, empty).size());
    const bool sameRing = filled > 0 && slotsOf(full) == slots && held >= slots;
    if (!sameRing && offence_.circle.empty())
      return {};
    const int64_t needed = sameRing ? held + 1 : slots + 1;
    const std::string &name = entries_[there].barrier;
    return Reason{
        "The ring has too few slots: " + entries_[here].agent + " can fill no further " +
            "slot before " + entries_[here].barrier + " comes back, and " + entries_[there].agent +
            (sameRing ? " holds " + slotsText(held) + " and waits for one more, " + name +
                            ", before it gives the first back"
                      : " gives it back only after the wait for " + name + ", which comes later") +
            ". It takes at least " + slotsText(needed) + ", and there " +
            (slots == 1 ? "is " : "are ") + std::to_string(slots),
        "Use " + std::to_string(needed) +
            " slots or more, or give a slot back before the next wait"};
  }

  /// Nobody gives a slot back any more, because who holds them all waits for one more.
  std::optional<Reason> ofAllHeld() const {
    const int32_t here = stuckAt(offence_.actor);
    if (here < 0 || !givenBackSomewhere(std::get<1>(*entries_[here].object)))
      return {};
    for (const auto &[ring, sides] : turns_.waits())
      for (const auto &[actor, turns] : sides)
        if (const int32_t there = stuckAt(actor); actor != offence_.actor &&
                                                  there == turns.back().entry &&
                                                  !turns_.signalsBy(offence_.actor, ring).empty())
          return tooFewSlots(offence_.actor, actor);
    return {};
  }

  bool givenBackSomewhere(int array) const {
    bool given = false;
    walk(program_.body, [&](const Stmt &s) {
      const auto *arrive = std::get_if<MbarrierArrive>(&s.op);
      given |= arrive && arrive->barrier.object == array;
    });
    return given;
  }

  /// Whether the slot that an agent is stuck at was its own before: it found the slot fresh, or has
  /// filled it without asking, and so signalled that slot of another array of as many slots.
  bool hadBefore(int32_t stuck) const {
    const auto &[cta, array, slot] = *entries_[stuck].object;
    const int32_t actor = entries_[stuck].actor;
    for (int32_t i = 0; i < stuck; ++i) {
      const JournalEntry &e = entries_[i];
      if (e.actor != actor || !e.object || std::holds_alternative<MbarrierInit>(e.stmt->op))
        continue;
      const auto &[itsCta, itsArray, itsSlot] = *e.object;
      if (itsSlot != slot || slotsOf({itsCta, itsArray}) != slotsOf({cta, array}))
        continue;
      if (itsArray != array && !Turns::waits(e))
        return fills(i);
      if (itsArray == array && Turns::waits(e))
        return Turns::phaseOf(e) < 0;
    }
    return false;
  }

  /// Whether a signal says that bytes are there: it announces or brings them, or its agent has
  /// written shared memory.
  bool fills(int32_t signal) const {
    for (const BarrierEffect &effect : entries_[signal].effects)
      if (effect.kind == BarrierEffect::expect || effect.kind == BarrierEffect::complete)
        return true;
    for (int32_t i = 0; i < signal; ++i)
      if (const auto *copy = std::get_if<Copy>(&entries_[i].stmt->op);
          copy && entries_[i].actor == entries_[signal].actor &&
          copy->destination.kind == View::buffer &&
          program_.buffers[copy->destination.object].space == Space::smem)
        return true;
    return false;
  }

  /// A wait whose parity is that of the phase after the one that nobody has waited for yet.
  std::optional<Reason> ofWrongStart(int32_t actor) const {
    const int32_t stuck = stuckAt(actor);
    if (stuck < 0 || !Turns::waits(entries_[stuck]))
      return {};
    const JournalEntry &e = entries_[stuck];
    const Turns::Ring ring = ringOf(*e.object);
    int64_t own = -1;
    for (const Turn &t : turns_.waitsBy(e.actor, ring))
      if (t.entry != stuck && t.slot == std::get<2>(*e.object))
        own = t.phase;
    if (Turns::phaseOf(e) != own + 2)
      return {};
    for (const auto &[actor, waits] : turns_.waitsOn(ring))
      for (const Turn &t : waits)
        if (t.slot == std::get<2>(*e.object) && t.phase == Turns::phaseOf(e) - 1)
          return {};
    return Turns::phaseOf(e) == 1 ? ofFirstWait(stuck) : wrongPhase(stuck, "");
  }

  Reason wrongPhase(int32_t stuck, const std::string &otherwise) const {
    const JournalEntry &e = entries_[stuck];
    const std::string before = std::to_string(Turns::phaseOf(e) - 1);
    return {"The parity is that of the wrong phase: " + e.agent + " waits for phase " +
                std::to_string(Turns::phaseOf(e)) + " of " + e.barrier +
                ", and nobody has waited for phase " + before + ", which is complete",
            "Wait for phase " + before + " first: its parity is " +
                std::to_string((Turns::phaseOf(e) - 1) & 1) + otherwise};
  }

  /// A first wait that was to find the barrier fresh, as if the slot were free: who has signalled
  /// it may have started like that too, or without waiting.
  Reason ofFirstWait(int32_t stuck) const {
    const JournalEntry &e = entries_[stuck];
    const std::vector<int32_t> &by = journal_.contributors(*e.object, 0);
    if (by.empty())
      return wrongPhase(stuck, "");
    const int32_t wait = turns_.lastWait(entries_[by[0]].actor, by[0]);
    if (wait < 0)
      return wrongPhase(stuck, "; or, if the slot is free at the start, let " + who(by[0]) +
                                   " wait before it signals");
    if (Turns::phaseOf(entries_[wait]) >= 0)
      return wrongPhase(stuck, "");
    return {"Both sides start with parity 1, as if the slot were free for both: " + who(wait) +
                " for " + entries_[wait].barrier + " passes on the fresh barrier, and " + e.agent +
                " waits for phase 1 of " + e.barrier +
                " although phase 0 is the first to be signalled",
            "Start with parity 0 on the side that waits for what the other brings"};
  }

  const Program &program_;
  const Journal &journal_;
  const std::vector<JournalEntry> &entries_;
  const Offence &offence_;
  Turns turns_;
};

/// Puts the reason before the fix.
void add(const Reason &reason, Violation &violation) {
  const size_t at =
      violation.fix.empty() ? std::string::npos : violation.message.rfind(violation.fix);
  if (at == std::string::npos)
    return;
  const std::string fix = reason.fix.empty() ? violation.fix : reason.fix;
  violation.message.replace(at, violation.fix.size(), reason.because + ". " + fix);
  violation.fix = fix;
}

} // namespace

void nameCause(Violation &violation, const Context &of, const Coordinates &first) {
  constexpr int64_t mostEvents = 50'000;
  Context context(of.program, of.launch);
  context.group = of.group;
  context.strict = of.strict;
  context.maxEvents = mostEvents;
  context.deadline = of.deadline;
  Journal journal;
  CanonicalRun run(context, first);
  run.record(journal);
  const Result<std::optional<Violation>> again = run.run();
  if (!again || !*again || (*again)->message != violation.message)
    return;
  if (const auto reason = Causes(of.program, journal, run.offence()).of(violation))
    add(*reason, violation);
}

} // namespace sluice
