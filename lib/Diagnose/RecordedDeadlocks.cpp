// Causes of deadlocks: rings with too few slots, first waits with the wrong parity.
#include "Diagnose/Recorded.h"

#include "Program/OperationFacts.h"
#include "Verify/Names.h"

namespace sluice {
namespace {

/// "1 slot", "3 slots".
std::string slotsText(int64_t slots) {
  return std::to_string(slots) + (slots == 1 ? " slot" : " slots");
}

} // namespace

std::optional<Reason> Recorded::causeOfDeadlock() const {
  std::set<int32_t> involved(offence_.circle.begin(), offence_.circle.end());
  involved.insert(offence_.actor);
  if (auto differ = slotsDiffer(involved))
    return differ;
  if (auto start = wrongStart(offence_.actor))
    return start;
  for (const int32_t actor : offence_.circle)
    if (auto start = wrongStart(actor))
      return start;
  for (size_t i = 0; i < offence_.circle.size(); ++i)
    if (auto capacity = tooFewSlots(offence_.circle[i], nextAtBarrier(i)))
      return capacity;
  if (auto stale = staleBesides())
    return stale;
  return offence_.circle.empty() ? nothingComesBack() : std::nullopt;
}

/// Who is stuck came too late to a wait that others have passed at once, by a stale parity.
std::optional<Reason> Recorded::staleBesides() const {
  const int32_t stuck = stuckAt(offence_.actor);
  for (int32_t i = 0; stuck >= 0 && i < size(); ++i)
    if (i != stuck && entries_[i].stmt == entries_[stuck].stmt && Turns::waits(entries_[i]) &&
        !entries_[i].blocked)
      if (auto stale = staleWait(i))
        return stale;
  return {};
}

/// Of the circle, the first after a member that waits at an mbarrier.
int32_t Recorded::nextAtBarrier(size_t member) const {
  const std::vector<int32_t> &circle = offence_.circle;
  for (size_t i = 1; i < circle.size(); ++i)
    if (const int32_t actor = circle[(member + i) % circle.size()]; stuckAt(actor) >= 0)
      return actor;
  return circle[member];
}

/// Where an agent is stuck; -1: not at an mbarrier.
int32_t Recorded::stuckAt(int32_t actor) const {
  for (int32_t i = size(); i-- > 0;)
    if (entries_[i].actor == actor)
      return entries_[i].blocked && entries_[i].object ? i : -1;
  return -1;
}

/// `producer` waits for a slot to come back, which `holder` would give.
std::optional<Reason> Recorded::tooFewSlots(int32_t producer, int32_t holder) const {
  const int32_t here = stuckAt(producer), there = stuckAt(holder);
  if (here < 0 || there < 0 || !hadBefore(here))
    return {};
  const Turns::Ring empty = ringOf(*entries_[here].object), full = ringOf(*entries_[there].object);
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
      "Use " + std::to_string(needed) + " slots or more, or give a slot back before the next wait"};
}

/// Nobody gives a slot back any more, because who holds them all waits for one more.
std::optional<Reason> Recorded::nothingComesBack() const {
  const int32_t here = stuckAt(offence_.actor);
  if (here < 0)
    return {};
  const int array = std::get<1>(*entries_[here].object);
  if (!signalledSomewhere(array))
    return Reason{"Nobody will signal it: nothing in the kernel signals " +
                      program_.mbarriers[array].name,
                  "Add the arrive"};
  for (const auto &[ring, sides] : turns_.waits())
    for (const auto &[actor, turns] : sides)
      if (const int32_t there = stuckAt(actor); actor != offence_.actor &&
                                                there == turns.back().entry &&
                                                !turns_.signalsBy(offence_.actor, ring).empty())
        return tooFewSlots(offence_.actor, actor);
  return {};
}

bool Recorded::signalledSomewhere(int array) const {
  bool found = false;
  walk(program_.body, [&](const Stmt &s) {
    const BarrierDeed deed = barrierDeed(s.op);
    found |= deed.signals() && deed.barrier->object == array;
  });
  return found;
}

/// Whether the slot that an agent is stuck at was its own before: it found the slot fresh, or has
/// filled it without asking, and so signalled that slot of another array of as many slots.
bool Recorded::hadBefore(int32_t stuck) const {
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
bool Recorded::fills(int32_t signal) const {
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
std::optional<Reason> Recorded::wrongStart(int32_t actor) const {
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
  return Turns::phaseOf(e) == 1 ? wrongFirstWait(stuck) : wrongPhase(stuck, "");
}

Reason Recorded::wrongPhase(int32_t stuck, const std::string &otherwise) const {
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
Reason Recorded::wrongFirstWait(int32_t stuck) const {
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

} // namespace sluice
