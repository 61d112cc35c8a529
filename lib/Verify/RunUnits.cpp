#include "Verify/RunUnits.h"

#include "Program/OperationFacts.h"
#include "Verify/Conditions.h"
#include "Verify/Run.h"

namespace sluice {
namespace {

/// The tile of L0C that a product or a copy touches; null: none.
const View *tileOf(const Program &program, const Operation &op) {
  const auto *mmad = std::get_if<Mmad>(&op);
  const auto *copy = std::get_if<Copy>(&op);
  const View *tile = mmad ? &mmad->d : copy ? &copy->source : nullptr;
  const Buffer *b = tile ? program.buffer(*tile) : nullptr;
  return b && b->space == Space::l0c ? tile : nullptr;
}

} // namespace

std::string RunUnits::nameOf(const Program &program, int buffer, int64_t slot) {
  const Buffer &b = program.buffers[buffer];
  return b.slots == 1 ? b.name : b.name + "[" + std::to_string(slot) + "]";
}

RunUnits::Step RunUnits::enter(Actor &a, const Stmt &s) {
  const View *view = tileOf(program_, s.op);
  if (!view)
    return Step::done;
  const UnitsDeed deed = unitsDeed(s.op);
  const Key key = keyOf(a, *view);
  if (!deed) {
    const auto at = tiles_.find(key);
    if (at == tiles_.end() || !(at->second.open || at->second.ofFix) || !conditions().units)
      return Step::done;
    about(Access{at->second.last->stamp, at->second.last->stmt, at->second.last->actor},
          "uses the units of " + nameOf(key));
    return refuse("R48",
                  what(a, s) + " takes no units, but touches sums in " + nameOf(key) + " that " +
                      what(*at->second.last) +
                      (at->second.ofFix ? " has handed over to FIX" : " has begun with them") +
                      ". Let all products of a sum and the store of it take units, or none",
                  s, nameOf(key));
  }
  Tile &tile = tiles_[key];
  if (tile.ofFix != deed.byFix) {
    tile.blocked.push_back(a.index);
    return Step::blocked;
  }
  const auto *mmad = std::get_if<Mmad>(&s.op);
  if (mmad && !tile.open && a.agent.value(mmad->accumulate) != 0 && conditions().units)
    return refuse("R48",
                  what(a, s) + " takes units and adds to sums in " + nameOf(key) +
                      " that no product with units has begun. Let the first product of the sum "
                      "take them too",
                  s, nameOf(key));
  return Step::done;
}

Knowledge RunUnits::ofTile(const Actor &a, const UnitsDeed &deed) const {
  Knowledge known = a.lanes;
  known.join(tiles_.at(keyOf(a, *deed.tile)).carried);
  return known;
}

void RunUnits::leave(Actor &a, const Stmt &s) {
  const UnitsDeed deed = unitsDeed(s.op);
  Tile &tile = tiles_[keyOf(a, *deed.tile)];
  const Stamp now{a.lanesComponent, a.steps};
  tile.last = BarrierEvent{now, a.index, &s};
  tile.open = !deed.byFix && !deed.handsOver;
  if (!deed.handsOver)
    return;
  tile.ofFix = !deed.byFix;
  tile.carried.clear();
  tile.carried.learn(now);
  wake(tile.blocked);
}

bool RunUnits::leftWithFix() {
  for (const auto &[key, tile] : tiles_)
    if (tile.ofFix) {
      offence_ = {Offence::atExit, *tile.last, "hands them over", "", {}};
      refuse("R48",
             "left to FIX at the end: the units of " + nameOf(key) + ", which " + what(*tile.last) +
                 " has handed over. The next kernel's Mmad would wait for them. Store the tile "
                 "with units",
             *tile.last->stmt, nameOf(key));
      return true;
    }
  return false;
}

} // namespace sluice
