// What statements of the embedded language may be asked for beside what they do.
#pragma once

#include "Program/Types.h"
#include "sluice/Index.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::lang {

constexpr int64_t anyExtent = -1; // a run-time value

struct TensorOptions {
  int minor = -1;    // dimension whose stride is 1; -1: the last
  int64_t align = 0; // bytes that divide base and strides; 0: the size of an element
  std::vector<int64_t> extents = {}; // fixed ones, or anyExtent; empty: all are run-time values
  int rows = -1; // dimension along which rows of its tiles lie; -1: the one before the last
  /// A launch passes this dimension and the next as one: rows x columns to a kernel that takes them
  /// as rows x parts x columns of a part. Both have fixed extents; -1: none.
  int joined = -1;
  /// Elements of rows x columns, where parts of a row are joined and the last of them have fewer or
  /// none; 0: all parts are whole.
  int64_t joinedExtent = 0;
  /// NVIDIA: lines of extents[1] elements, of a dense tensor of any rank that a launch passes as
  /// one line of numbers; the last one has what is left. Each begins at a multiple of 16 bytes.
  bool line = false;
};

/// How the tiles of a grid are dealt to the CTAs of an NVIDIA machine. (Ascend: to the cores in
/// turn; what stands here is refused.)
struct GridOptions {
  bool persistent = false; // as many CTAs as SMs, each computing one tile after the other
  /// Persistent, Hopper: two groups of warps compute tiles in turn; one multiplies while the other
  /// hands on its results.
  bool pingpong = false;
  /// Hopper: the next tile of a CTA is drawn from a counter in global memory when it comes to it;
  /// of a persistent grid, or of the author's next loop, from the CTA's own number on. The counter
  /// is a workspace of one i32 in front of the outputs: zero at launch, and zero at the end.
  bool dynamic = false;
  /// Persistent, Hopper: the steps of a loop of products are dealt out, of all tiles together
  /// (stream-K): tiles that a launch may have; 0: each CTA takes whole tiles. What CTAs of one tile
  /// add up goes through workspaces in front of the outputs.
  int64_t stream = 0;
  /// Hopper: no role loads. Who computes issues the loads of a loop too, its stages ahead.
  bool loadAhead = false;
  /// NVIDIA: CTAs that an SM has room for at once, at least. The compiler keeps to their registers;
  /// shared memory for them is there, or the kernel is refused. Not of persistent grids.
  int64_t ctasPerSm = 1;
  /// CTAs side by side that share the loads they have in common.
  std::array<int64_t, 2> cluster{1, 1};
  /// Blackwell: the two CTAs of a cluster multiply together, each half of what they have in common.
  bool pair = false;
  /// Persistent, or on Ascend: rows of tiles that are taken together, of three coordinates those of
  /// the third one after the other; 0: the last coordinate first.
  int64_t group = 0;
};

/// How many copies of the tiles of a loop body exist at a time.
struct LoopOptions {
  int64_t stages = 0; // of the tiles loaded in the body; 0: the compiler decides
  std::vector<std::pair<std::string, int64_t>> slots; // per memory space: {"l0c", 2}
  int64_t ctas = 1;                  // of a cluster, or cores, that take the steps together
  bool alternate = false;            // see alternating()
  bool turns = false;                // see inTurn()
  std::optional<int64_t> ahead = {}; // see prefetch()

  /// The steps are dealt out over so many CTAs of a cluster, or cores of Ascend, and what they add
  /// up is summed over these.
  LoopOptions split(int64_t over) const {
    LoopOptions with = *this;
    with.ctas = over;
    return with;
  }
  /// The steps may come in any order. In a persistent grid each CTA takes those of every second
  /// tile from the last to the first: what was read last is still in the second-level cache.
  LoopOptions alternating(bool so = true) const {
    LoopOptions with = *this;
    with.alternate = so;
    return with;
  }
  /// NVIDIA: the warpgroups that compute issue the products of a step one after another, so that
  /// one multiplies while the others do the rest of theirs.
  LoopOptions inTurn(bool so = true) const {
    LoopOptions with = *this;
    with.turns = so;
    return with;
  }
  /// NVIDIA: loads are at most so many steps ahead, 0 to stages - 1.
  LoopOptions prefetch(int64_t steps) const {
    LoopOptions with = *this;
    with.ahead = steps;
    return with;
  }
};
/// Who brings a tile: boxes of a tensor map, bulk copies of spans of rows, threads, or their
/// cp.async.
enum class LoadedBy : uint8_t { tensor, bulk, threads, async };
/// NVIDIA: how a tile comes. (Ascend: `paced` and `by` are refused, a hint no matter.)
struct LoadOptions {
  /// Of a tile that the result will replace in its staging buffer: box by box through the main
  /// loop, so that other loads do not wait behind it. Refused elsewhere.
  bool paced = false;
  CachePolicy cache = CachePolicy::normal; // of L2 where TMA loads it; copies by threads have none
  std::optional<LoadedBy> by = {};         // otherwise the compiler decides
};
/// NVIDIA: how a tile waits in shared memory for TMA. (Ascend: refused, a hint no matter.)
struct StoreOptions {
  /// Slots; 1: of the whole tile, more: of its parts in turn; 0: none, the warps that compute store
  /// what they hold. Otherwise the compiler decides.
  std::optional<int64_t> staging = {};
  CachePolicy cache = CachePolicy::normal; // of L2 where TMA stores it
  /// Of the whole tile by a role of its own: box by box, so that loads do not wait behind it.
  bool paced = false;
  /// Ascend: FIX takes each 512 bytes of the sums as soon as the last product has them (unitFlag).
  bool byUnits = false;
};
struct MmaOptions {
  /// The steps of the sum multiply whatever tiles they do, as those of a convolution: R28, which
  /// finds operands that do not belong together, does not look at this product.
  bool anyTiles = false;
  /// In a role: where it is false, d = a b; what d held before does not matter.
  std::optional<Condition> accumulates = {};
};
inline StoreOptions staging(int64_t slots) {
  return {slots, CachePolicy::normal, false};
}
inline LoopOptions stages(int64_t count) {
  return {count, {}, 1};
}
inline LoopOptions slots(std::vector<std::pair<std::string, int64_t>> perSpace) {
  return {0, std::move(perSpace), 1};
}

} // namespace sluice::lang
