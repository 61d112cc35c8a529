// Slots that the two sides of a ring count differently.
#include "Diagnose/Recorded.h"

#include "Verify/Names.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr const char *oneCursor =
    "Let both sides go through the slots alike, by cursors of one ring that advance in every "
    "iteration and go on from loop to loop";

/// The turns of the agent that came farthest; nothing where agents go different ways.
std::vector<Turn> common(const Turns::Sides &sides, bool fresh) {
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

bool takePart(const Turns::Sides &sides, const std::set<int32_t> &actors) {
  return std::ranges::any_of(sides, [&](const auto &side) { return actors.count(side.first); });
}

} // namespace

std::string Recorded::who(int32_t entry) const {
  const JournalEntry &e = entries_[entry];
  return operationName(e.stmt->op) + " of " + e.agent + place(e.stmt->loc);
}

/// The first turn that is signalled in one slot and waited for in another.
std::optional<Reason> Recorded::slotsDiffer(const std::set<int32_t> &involved) const {
  for (const auto &[ring, waiters] : turns_.waits()) {
    const Turns::Sides &signallers = turns_.signalsOn(ring);
    if (slotsOf(ring) < 2 || !(takePart(waiters, involved) || takePart(signallers, involved)))
      continue;
    const std::vector<Turn> waits = common(waiters, false), signals = common(signallers, true);
    for (size_t i = 0; i < std::min(waits.size(), signals.size()); ++i)
      if (waits[i].slot != signals[i].slot && goesRound(waits, i) && goesRound(signals, i))
        return differAt(ring, static_cast<int64_t>(i), waits[i], signals[i]);
  }
  return {};
}

/// Whether the operation of a turn goes round the ring: its slot is that of a cursor or a
/// remainder, or it is met in another turn.
bool Recorded::goesRound(const std::vector<Turn> &turns, size_t at) const {
  for (size_t i = 0; i < turns.size(); ++i)
    if (i != at && entries_[turns[i].entry].stmt == entries_[turns[at].entry].stmt)
      return true;
  const MbarrierRef *ref = mbarrierOf(entries_[turns[at].entry].stmt->op);
  bool moves = false;
  walk(program_.body, [&](const Stmt &s) {
    const auto *scalar = std::get_if<Scalar>(&s.op);
    moves |= scalar && scalar->result == ref->slot.value &&
             (scalar->op == ScalarOp::cursorSlot || scalar->op == ScalarOp::remS ||
              scalar->op == ScalarOp::andI);
  });
  return moves;
}

Reason Recorded::differAt(const Turns::Ring &ring, int64_t turn, const Turn &wait,
                          const Turn &signal) const {
  return {"The two sides count the slots of " + program_.mbarriers[ring.second].name +
              " differently: turn " + std::to_string(turn) + " (from 0) is signalled on " +
              barrierName(program_.mbarriers[ring.second], signal.slot) + " by " +
              who(signal.entry) + ", and waited for on " +
              barrierName(program_.mbarriers[ring.second], wait.slot) + " by " + who(wait.entry),
          oneCursor};
}

} // namespace sluice
