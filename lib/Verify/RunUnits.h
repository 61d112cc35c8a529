// Ascend: who has the units of each tile of L0C, M or FIX, in a canonical run (R48).
//
// A Mmad hands its units over while it still runs, and FIX gives them back while it still stores.
// So what the one learns of the other is about the bytes of the tile alone: the accesses of that
// tile are held against it, and no other.
#pragma once

#include "Program/OperationFacts.h"
#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunUnits : public RunPart {
public:
  using RunPart::RunPart;

  /// Blocked until the operation has the units that it waits for. One without them must not meet
  /// sums that have them.
  Step enter(Actor &a, const Stmt &s);
  /// What an operation that has entered knows of its tile: what the agent does, and what came with
  /// the units.
  Knowledge ofTile(const Actor &a, const UnitsDeed &deed) const;
  /// It has done its part, at its agent's last event.
  void leave(Actor &a, const Stmt &s);
  /// At exit: all are M's again.
  bool leftWithFix();
  /// "acc[1]"
  static std::string nameOf(const Program &program, const ProofAgent &agent, const View &tile) {
    return nameOf(program, tile.object, agent.value(tile.slot));
  }

private:
  friend class NormalForm;

  struct Tile {
    bool ofFix = false;
    bool open = false; // M has begun a sum in it that it has not handed over
    Knowledge carried; // the end of the operation that the units come from
    std::optional<BarrierEvent> last;
    std::vector<int32_t> blocked;
  };
  using Key = std::pair<int, int64_t>; // buffer, slot

  Key keyOf(const Actor &a, const View &tile) const {
    return {tile.object, a.agent.value(tile.slot)};
  }
  std::string nameOf(const Key &key) const { return nameOf(program_, key.first, key.second); }
  static std::string nameOf(const Program &program, int buffer, int64_t slot);

  std::map<Key, Tile> tiles_;
};

} // namespace sluice
