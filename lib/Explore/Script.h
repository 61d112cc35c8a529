// A program unrolled for one launch. Nothing in the language depends on data, so every agent does
// the same actions in every interleaving: its position is a number.
#pragma once

#include "Explore/Cells.h"
#include "Explore/Course.h"
#include "Explore/Explore.h"

#include <array>
#include <climits>
#include <optional>

namespace sluice::explorer {

constexpr int32_t never = INT32_MAX;
constexpr int32_t uncounted = INT32_MAX; // sets that no wait takes back: unlocks

struct Action;
/// Whether the PTX ISA has two operations of one thread on tensor memory run one after the other,
/// where they meet.
bool arePipelined(const Action &first, const Action &second);

/// Bytes that an action reads or writes.
struct Touch {
  int32_t footprint = -1; // of the CellMap
  bool write = false;
  bool adds = false;   // a reducing write: two of them commute; of a product, the sum it adds to
  bool shared = false; // in NVIDIA shared memory, where the two proxies differ
  bool tensor = false;
  bool columns = false; // of tensor memory
  bool units = false;   // of L0C, by an operation that waits for its units
  /// By all lanes of a warp: equal where every byte is the same lane's; bit 0: by stmatrix, which
  /// the lanes execute together, after what they have read. 0: registers.
  uint64_t lanes = 0;
  std::array<int32_t, 2> writes{-1, -1}; // of the elected lane, of the others; -1: of no interest
  std::vector<int32_t> cells;
  std::vector<uint64_t> mask; // of the same
};

enum class Act : uint8_t {
  nothing,
  data, // a synchronous access; on Ascend any operation on data
  initialise,
  invalidate,
  arrive, // `count` arrivals and `bytes` announced, by each executing lane
  wait,   // `count`: parity
  test,   // the same, without waiting
  named,
  clusterArrive,
  clusterWait,
  clusterSync,
  proxyFence,
  initFence,
  load,
  store,
  wgmma,
  copyAsync,
  copyWait,
  copyArrive,
  bulkWait,
  globalFence,
  counterAdd, // `count`: by each executing lane
  counterWait,
  lanesMove,   // tcgen05.ld, tcgen05.st
  lanesWait,   // tcgen05.wait::ld or, `count` 1, ::st
  fenceBefore, // tcgen05.fence::before_thread_sync
  fenceAfter,
  setFlag, // also cross-core, and to unlock a mutex
  waitFlag,
  lockMutex, // `count`: the unlocks that it waits for; also of waits that the scalar unit stands at
  pipeBarrier,
  allPipes
};

/// What an action is to the tensor memory of its CTA.
enum class ColumnsUse : uint8_t { none, allocates, relinquishes, readsAddress, uses, frees };

/// What an action does with the units of its tile of L0C.
struct UnitsUse {
  int32_t tile = -1;                                   // Unrolled::tiles; -1: it has none
  bool takes = false;                                  // waits for them
  bool byFix = false, handsOver = false, adds = false; // FIX takes them; the other has them then
};

struct Action {
  Act act = Act::nothing;
  UnitsUse units = {};
  /// `count`: columns that are allocated or freed; the first one behind what is used.
  ColumnsUse columnsUse = ColumnsUse::none;
  int32_t sum = -1;  // of a tcgen05 product: those of one sum run in order; cp, shift: its own
  bool pair = false; // of the tensor memory of both CTAs of a pair
  const Stmt *stmt = nullptr;
  bool lanes = false;           // also the lanes besides the elected one execute it
  bool joint = false;           // all lanes of the warp do it together
  bool quiet = false;           // no other agent can notice when it happens
  std::vector<int32_t> objects; // mbarriers, flags, loads or the named barrier
  int64_t count = 0, bytes = 0;
  Scope scope = Scope::cta;
  bool relaxed = false; // hands on no memory; counters and cluster barriers: no order either
  bool coResident = false;
  int32_t token = never; // of a test its number; of a wait that of the test that may spare it
  std::vector<Touch> touches;
  // Asynchronous operations: number of the agent's action after which it knows that the operation
  // has ended (stores: that the source is read), and that the tensor is written.
  int32_t ends = never, written = never;
  int32_t endsForLanes = never; // cp.async: the same of the copies of the lanes besides the elected
  // Ascend: earlier actions of the pipe that this one may not overlap with.
  std::vector<int32_t> hazards;
  bool lingers = false; // it is a hazard of a later one
};

/// A write that others may see or not: of one strand, or of the asynchronous operation it issued.
struct Write {
  int32_t agent, action;
  bool tensor, generic;
  bool byLanes;         // each lane its own part
  int cta;              // whose shared memory it is
  bool ofLanes = false; // of byLanes: the part of the lanes besides the elected one
  bool columns = false; // of tensor memory
  bool reads = false;   // there who reads is noted as well
};

/// A copy of the TMA unit into one CTA, or what a strand stores there by st.async, or a product or
/// commit of tcgen05: under way from its issue until it lands.
struct Load {
  int agent = 0, action = 0, cta = 0;
  int32_t barrier = -1;
  int64_t bytes = 0;
  std::vector<Touch> touches = {};
  bool stored = false;  // by st.async: to later asynchronous accesses a generic write
  bool byLanes = false; // stored: by the lanes besides the elected one
  int64_t arrivals = 0; // of a commit
  /// Loads that land before it: of what a thread asks of tensor memory (Analysis.cpp,
  /// orderProducts) those that no other of them lands behind; of a commit the last of each sum.
  std::vector<int32_t> after = {};
  std::vector<int32_t> before = {}; // all of the former, in order
  std::vector<int32_t> sees = {};   // of them, those that the PTX ISA puts in front, in order
};

struct Script {
  Who id;
  std::string name; // "mma warp 4 of CTA 0"
  int cta = 0;      // of the cluster; Ascend: 3 for each block: the AIC and its AIVs
  std::vector<Action> actions;
  std::vector<int32_t> nextLanes;             // first action from here on that `lanes` has
  std::vector<std::vector<int32_t>> underWay; // asynchronous actions at a position of the elected
                                              // lane: wgmma and stores
  int32_t tests = 0;                          // how many there are
  int symmetry = -1; // class of agents that differ in nothing that others can see
};

struct Unrolled {
  std::vector<Script> scripts;
  std::vector<Load> loads;
  CellMap memory;
  std::vector<std::string> mbarriers; // names of all of the cluster
  std::vector<int64_t> namedThreads;
  std::vector<std::string> flags;
  std::vector<int32_t> flagLimit; // most sets outstanding
  std::vector<std::string> tiles; // of L0C
  std::vector<std::string> counters;
  std::vector<int64_t> ownSums; // by counter and CTA: all that the CTA ever adds, without lowering
  std::vector<Write> writes;
  std::vector<bool> privateCell; // only one agent can notice what happens to it
  std::vector<bool> refilled;    // a load writes it, in shared memory
  int ctas = 1;
  bool oneCluster = true;                 // else CTAs of a grid, joined by counters
  std::optional<std::string> outOfBounds; // an action names what does not exist
  std::optional<std::string> mispaired;   // locks and unlocks of a mutex
  std::optional<std::string> tooEarly;    // a tensor is touched that the kernel before still writes
  std::optional<std::string> unitsLeft;   // a store leaves out some of the units of its tile
  std::optional<std::string> unaddressed; // tensor memory is used by who has not read its address
  bool columns = false;                   // it has tensor memory
  bool tensorInOrder = true;              // ExploreOptions
  bool tooLong = false;                   // more actions than maxActions
};

/// What so many of an agent's last tests said may still be read.
constexpr int32_t keptTokens = 31;

constexpr int64_t maxActions = 200'000;

Unrolled unroll(const Program &program, const Launch &launch, const ExploreOptions &options);

/// "arrive at f:3:1"
std::string describe(const Stmt &s);

} // namespace sluice::explorer
