#include "Diagnose/Turns.h"

#include "Program/OperationFacts.h"

namespace sluice {
namespace {

bool signals(const JournalEntry &e) {
  return barrierDeed(e.stmt->op).signals();
}

std::vector<Turn> by(int32_t actor, const Turns::Sides &sides) {
  const auto at = sides.find(actor);
  return at == sides.end() ? std::vector<Turn>() : at->second;
}

} // namespace

Turns::Turns(const Journal &journal) : entries_(journal.entries()) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const JournalEntry &e = entries_[i];
    if (!e.object || !(waits(e) || signals(e)))
      continue;
    const auto &[cta, array, slot] = *e.object;
    std::vector<Turn> &turns = (waits(e) ? waits_ : signals_)[{cta, array}][e.actor];
    const Turn turn{slot, phaseOf(e), static_cast<int32_t>(i)};
    if (turns.empty() || !goesOn(turns.back(), turn))
      turns.push_back(turn);
  }
}

/// Whether an operation belongs to the turn before it: a signal after another, a second wait in the
/// text for one phase. The same wait is a new turn, and stale.
bool Turns::goesOn(const Turn &before, const Turn &now) const {
  const JournalEntry &first = entries_[before.entry], &second = entries_[now.entry];
  return before.slot == now.slot && before.phase == now.phase &&
         !(waits(second) && first.stmt == second.stmt);
}

bool Turns::waits(const JournalEntry &e) {
  return barrierDeed(e.stmt->op).waits();
}

int64_t Turns::phaseOf(const JournalEntry &e) {
  return waits(e) && !e.blocked ? e.phase - 1 : e.phase;
}

const Turns::Sides &Turns::of(const std::map<Ring, Sides> &all, const Ring &ring) {
  static const Sides none;
  const auto at = all.find(ring);
  return at == all.end() ? none : at->second;
}

std::vector<Turn> Turns::waitsBy(int32_t actor, const Ring &ring) const {
  return by(actor, waitsOn(ring));
}

std::vector<Turn> Turns::signalsBy(int32_t actor, const Ring &ring) const {
  return by(actor, signalsOn(ring));
}

int32_t Turns::waitedBefore(int32_t entry) const {
  const JournalEntry &e = entries_[entry];
  for (int32_t i = entry; i-- > 0;) {
    const JournalEntry &other = entries_[i];
    if (other.actor == e.actor && waits(other) && other.object == e.object &&
        phaseOf(other) == phaseOf(e))
      return i;
  }
  return -1;
}

int32_t Turns::lastWait(int32_t actor, int32_t before) const {
  for (int32_t i = before; i-- > 0;)
    if (entries_[i].actor == actor && entries_[i].object && waits(entries_[i]))
      return i;
  return -1;
}

} // namespace sluice
