// Ascend: who has the units of a tile of L0C, M or FIX, and when the other one may begin.
#pragma once

#include "Simulate/UnitPart.h"

#include <tuple>

namespace sluice {

class UnitTiles : public UnitPart {
public:
  using UnitPart::UnitPart;

  /// Blocks until the agent's side has the units. Else the operation goes on.
  Step enter(Actor &a, const UnitsDeed &deed);
  /// When it begins: as soon as the operation before has dealt with the first unit, although it
  /// goes on here when that one has ended, so that values are those of the end.
  double begin(Actor &a, const UnitsDeed &deed, double cycles);
  /// When it ends, of what it began at `start`: no earlier than its own last unit behind the end of
  /// the operation before.
  double end(const Actor &a, const UnitsDeed &deed, double start, double cycles) const;
  /// It has ended.
  void leave(const Actor &a, const UnitsDeed &deed);
  bool isOfFix(const Actor &a, const UnitsDeed &deed) const;
  /// Fails for units that are left with FIX.
  void exitChecks();

private:
  struct Tile {
    bool ofFix = false;
    double begin = 0, part = 0; // of the operation that is at work: of each unit
    double handedBegin = 0, handedPart = 0, handedEnd = 0; // of the one that handed over last
    int waiter = -1;
  };
  Tile &at(const Actor &a, const UnitsDeed &deed);
  double units(const UnitsDeed &deed) const;

  std::map<std::pair<int, int64_t>, Tile> tiles_; // by buffer and slot
};

} // namespace sluice
