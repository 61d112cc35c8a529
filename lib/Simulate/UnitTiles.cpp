#include "Simulate/Unit.h"

#include <algorithm>
#include <utility>

namespace sluice {

UnitTiles::Tile &UnitTiles::at(const Actor &a, const UnitsDeed &deed) {
  return tiles_[{deed.tile->object, a.agent.value(deed.tile->slot)}];
}

double UnitTiles::units(const UnitsDeed &deed) const {
  constexpr double bytes = 512;
  return static_cast<double>(program_.buffers[deed.tile->object].slotBytes) / bytes;
}

bool UnitTiles::isOfFix(const Actor &a, const UnitsDeed &deed) const {
  const auto tile = tiles_.find({deed.tile->object, a.agent.value(deed.tile->slot)});
  return tile != tiles_.end() && tile->second.ofFix;
}

UnitTiles::Step UnitTiles::enter(Actor &a, const UnitsDeed &deed) {
  Tile &tile = at(a, deed);
  if (tile.ofFix == deed.byFix)
    return Step::done;
  tile.waiter = a.index;
  return block(a);
}

double UnitTiles::begin(Actor &a, const UnitsDeed &deed, double cycles) {
  Tile &tile = at(a, deed);
  tile.begin = a.time;
  tile.part = cycles / units(deed);
  if (std::exchange(a.released, false))
    tile.begin = std::max(a.blockedAt, tile.handedBegin + tile.handedPart);
  return tile.begin;
}

double UnitTiles::end(const Actor &a, const UnitsDeed &deed, double start, double cycles) const {
  const Tile &tile = tiles_.at({deed.tile->object, a.agent.value(deed.tile->slot)});
  return std::max(start + cycles, start < tile.handedEnd ? tile.handedEnd + tile.part : start);
}

void UnitTiles::leave(const Actor &a, const UnitsDeed &deed) {
  Tile &tile = at(a, deed);
  if (!deed.handsOver)
    return;
  tile.ofFix = !deed.byFix;
  tile.handedBegin = tile.begin;
  tile.handedPart = tile.part;
  tile.handedEnd = now_;
  if (tile.waiter < 0)
    return;
  Actor &waiter = actors_[std::exchange(tile.waiter, -1)];
  waiter.released = true;
  waiter.time = std::max(waiter.time, now_);
  parts_.report.recordWait(waiter, std::max(waiter.blockedAt, tile.handedBegin + tile.handedPart));
  push(waiter.time, waiter.index);
}

void UnitTiles::exitChecks() {
  for (const auto &[key, tile] : tiles_)
    if (tile.ofFix && !violation_) {
      const std::string name =
          program_.buffers[key.first].name + "[" + std::to_string(key.second) + "]";
      fail("R48",
           "the units of " + name +
               " are left with FIX at the end: the next kernel's Mmad would wait for them; store "
               "the tile with units",
           program_.loc, name);
    }
}

} // namespace sluice
