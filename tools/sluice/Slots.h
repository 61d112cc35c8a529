// Slots of rings as their readers found them, on the virtual machine and on a device.
#pragma once

#include "Program/Agent.h"
#include "Simulate/Simulate.h"

#include <map>
#include <mutex>
#include <span>

namespace sluice::tool {

/// A slot behind a wait of a role, as the first warp of the role found it.
struct SeenSlot {
  int buffer;
  int64_t slot, iteration; // iteration: of the pipelined loop; -1: outside
  const Role *role;        // null: outside roles
  Location loc;            // of the tile, else of the wait
  uint64_t sum;
};

/// Sums up the slots of a run with values: SimulateOptions::awaited.
class SlotWatch {
public:
  SlotWatch(const Program &program, const Launch &launch);
  void see(const Agent &agent, const Stmt &wait, const SlotBytes &bytes);

  /// By number of the CTA (x fastest) and warp, in the warp's order.
  using Seen = std::map<std::pair<int64_t, int>, std::vector<SeenSlot>>;
  const Seen &seen() const { return seen_; }
  int64_t ctas() const { return grid_[0] * grid_[1] * grid_[2]; }
  int64_t most() const; // of a warp
  int64_t slots() const;

private:
  const Program &program_;
  std::map<const Stmt *, std::vector<int>> read_;
  std::vector<int64_t> grid_;
  std::mutex seeing_;
  Seen seen_;
};

struct SlotComparison {
  int64_t slots = 0, different = 0;
  std::string first; // "buffer a, slot 2, iteration 6 of role mma, CTA 3 at gemm.cpp:42:7"
};

/// `words`: what the device wrote, as Checksums.h lays it out, with `kept` sums a warp. The first
/// difference is the earliest of a warp, then that of the lowest CTA.
SlotComparison compareSlots(const Program &program, const SlotWatch &watch, int64_t kept,
                            std::span<const uint64_t> words);

} // namespace sluice::tool
