// The operations of a program, one struct per hardware operation, and what holds them: statements
// and blocks.
#pragma once

#include "Program/ElementFn.h"
#include "Program/Objects.h"

#include <variant>

namespace sluice {

// ---- Operations: scalars and control ------------------------------------------------------------

struct Stmt;
/// Statements, then the values that leave the block (loop-carried or results of an if).
struct Block {
  std::vector<Stmt> stmts;
  std::vector<ValueId> yields;
};

enum class ScalarOp : uint8_t {
  constant,
  dim,
  argument, // immediate | tensor `object`, dimension imm | argument `object`
  add,
  sub,
  mul,
  divS,
  remS,
  ceilDiv,
  minS,
  maxS,
  andI,
  orI,
  xorI,
  shl,
  shrS,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  select,
  cursorInit,
  cursorAdvance,
  cursorSlot,
  cursorPhase, // imm = slots of the ring
  warpInRole,
  clusterRank,
  subblock, // Ascend: which AIV of the core, 0 or 1; 0 on the AIC
  load,     // one integer of tensor `object`, which no launch writes; operands: its indices
};

struct Scalar {
  ScalarOp op;
  ValueId result;
  std::vector<ValueId> operands;
  int64_t imm = 0;
  int object = -1;
};

/// Declares the grid (extents) and yields the coordinates of this CTA or core. Once per program,
/// first.
struct Grid {
  std::vector<ValueId> extents, results;
};

struct For {
  ValueId iv, lower, upper, step;
  std::vector<ValueId> inits, iterArgs, results;
  Block body;
  std::string name;       // what the loop variable is called in printed code
  bool pipelined = false; // the loop whose iterations `trace` counts
  /// A value of the body: the loop runs once, and again while it holds; `upper` then says nothing.
  ValueId condition = kNone;
  bool isWhile() const { return condition != kNone; }
};

struct If {
  ValueId condition;
  Block thenBlock, elseBlock;
  std::vector<ValueId> results;
};

/// Statements for some warps of the CTA (NVIDIA) or for one core kind (Ascend: "aic", "aiv").
struct Role {
  std::string name;
  int firstWarp = 0, warps = 0;
  std::string core;
  int registers = 0; // setmaxnreg at entry; 0: unchanged
  Block body;
};

// ---- Operations: synchronisation, NVIDIA --------------------------------------------------------

/// Who sees the memory that an operation releases or acquires (PTX ISA, scope).
enum class Scope : uint8_t { cta, cluster, gpu };

struct MbarrierInit {
  MbarrierRef barrier;
  bool wholeArray = true;
  int64_t count;
};
struct MbarrierInval {
  MbarrierRef barrier;
  bool wholeArray = true;
};
struct MbarrierArrive {
  MbarrierRef barrier;
  int64_t count = 1;
  Scope scope = Scope::cta;
};
struct MbarrierArriveExpectTx {
  MbarrierRef barrier;
  Index bytes;
  Scope scope = Scope::cta;
};
struct MbarrierExpectTx {
  MbarrierRef barrier;
  Index bytes;
};
/// Blocks until the phase with parity `parity` has completed (mbarrier.try_wait.parity in a loop).
/// Where `token` says that it has, nothing is looked at.
struct MbarrierWait {
  MbarrierRef barrier;
  Index parity;
  Scope scope = Scope::cta;
  ValueId token = kNone;
};
/// Asks whether the phase with parity `parity` has completed, and does not wait
/// (mbarrier.test_wait.parity). `result`, a token: 1 where every lane that executes it was told so,
/// which then has acquired what a wait would; for a wait alone. 0 is a token of nothing: the wait
/// waits.
struct MbarrierTest {
  MbarrierRef barrier;
  Index parity;
  Scope scope = Scope::cta;
  ValueId result = kNone;
};
/// bar.sync / bar.arrive of `threads` threads; id 0 with all threads is __syncthreads.
struct NamedBarrier {
  static constexpr int64_t ids = 16; // of a CTA, from 0
  static constexpr bool isId(int64_t id) { return id >= 0 && id < ids; }

  Index id;
  int64_t threads;
  bool arriveOnly = false;
};
struct WarpSync {};
struct ClusterBarrier {
  enum Kind : uint8_t { arrive, arriveRelaxed, wait, sync } kind;
};
struct Fence {
  enum Kind : uint8_t {
    proxyAsync, // of shared memory
    mbarrierInit,
    proxyAsyncGlobal, // of global memory
    tcgen05Before,    // tcgen05.fence::before_thread_sync
    tcgen05After,     // tcgen05.fence::after_thread_sync
  } kind;
};
struct BulkCommit {};
struct BulkWait {
  int64_t pending;
  bool read;
};
struct CpAsyncCommit {};
struct CpAsyncWait {
  int64_t pending;
};
struct CpAsyncArrive {
  MbarrierRef barrier;
  bool noinc = true;
};
/// Adds to one i32 of a tensor in global memory (red.add); with release unless `relaxed`. `old`:
/// what it held before (atom.add), known to the warp that adds; then it acquires, too.
struct CounterAdd {
  View counter;
  Index value;
  Scope scope = Scope::gpu;
  bool relaxed = false;
  ValueId old = kNone;
};
/// Blocks until that i32 is at least `value` (ld.acquire in a loop). `coResident`: the CTAs that
/// add to it run at the same time, which the kernel's author answers for.
struct CounterWait {
  View counter;
  Index value;
  Scope scope = Scope::gpu;
  bool coResident = false;
};
/// griddepcontrol: waits until the kernel before has ended and its writes are visible, or lets the
/// next kernel start.
struct GridDependency {
  bool launch = false;
};
struct WgmmaFence {};
struct WgmmaCommit {};
struct WgmmaWait {
  int64_t pending;
};

// ---- Operations: tensor memory, Blackwell (Program/TensorMemory.h) ------------------------------

/// tcgen05.alloc: columns of all lanes, whose address goes to a number in shared memory. `pair`
/// (.cta_group::2): a warp of each CTA of a pair does it, for the columns of both.
struct TmemAlloc {
  int64_t columns;
  View address;
  bool pair = false;
};
/// tcgen05.relinquish_alloc_permit: the CTA, or the pair, allocates no more.
struct TmemRelinquish {
  bool pair = false;
};
/// tcgen05.dealloc of what was allocated.
struct TmemDealloc {
  int64_t columns;
  bool pair = false;
};
/// Every thread reads the address; what follows finds tensor memory by it.
struct TmemAddress {
  View source;
};
/// Factors of the rows of A and of the columns of B, in tensor memory: tiles of 128 lanes, of one
/// type, which lie as Program/BlockScales.h says.
struct BlockScales {
  View a, b;
};
/// tcgen05.mma, D[M,N] = A[M,K] B[K,N] (+ D when accumulate is non-zero), by one thread: D in
/// tensor memory, A there or in shared memory, B in shared memory; K/16 instructions of 16-bit
/// types, which run in order. `pair` (.cta_group::2): for both CTAs of a pair. The views are what
/// each of them holds: its rows of D and A, its half of the columns of B; with 64 rows of A the two
/// halves of the columns of D lie one below the other, A in tensor memory beside both
/// (splitsColumns).
/// With `scales` (.block_scale) every number of a block along K is multiplied by the block's
/// factor; each CTA of a pair holds those of its rows of A and of all columns of B.
struct Tcgen05Mma {
  View d, a, b;
  Index accumulate;
  bool anyTiles = false; // as in Wgmma
  bool pair = false;
  std::optional<BlockScales> scales = {};
};
/// tcgen05.cp: rows of shared memory to columns of all 128 lanes, by one thread. 128 rows: each to
/// its lane (.128x256b, .128x128b). 32 or 64 rows of 16 bytes: to several lanes each (rowOfLane);
/// `neighbours` (.warpx2::01_23): of 64 rows the lanes of warps 0 and 1 have the same, and those of
/// 2 and 3; else (.warpx2::02_13) those of 0 and 2, and of 1 and 3. 4 rows (.4x256b): row i to lane
/// 32 i + `lane` (four-rows: readingsOfLanes). `pair` (.cta_group::2): in each CTA of a pair from
/// its own shared memory to its own columns, which are at the same places.
struct TmemCopy {
  View destination, source;
  bool neighbours = false;
  bool pair = false;
  int64_t lane = 0; // of the address, 0 to 31
};
/// tcgen05.shift.down (.31x256b): of 32 lanes each gets the 32 bytes of the next one, the last
/// keeps its own (rows-down: readingsOfLanes); by one thread. `pair`: in both CTAs of a pair.
struct TmemShift {
  View columns;
  bool pair = false;
};
/// tcgen05.commit: one arrival when all earlier tcgen05.mma of the thread have ended, at the same
/// barrier of each CTA of the mask `multicast`; 0: of the own CTA alone.
struct Tcgen05Commit {
  MbarrierRef barrier;
  int64_t multicast = 0;
  bool pair = false;
};
/// tcgen05.ld: every warp its own 32 lanes, a lane of tensor memory to a lane of the warp. The
/// registers have their values behind the wait.
struct TmemLoad {
  View destination, source;
};
/// tcgen05.st: the same the other way. The registers are read at once.
struct TmemStore {
  View destination, source;
};
/// tcgen05.wait::ld or ::st: all earlier loads, or stores, of the warp have ended.
struct TmemWait {
  bool stores = false;
};

// ---- Operations: synchronisation, Ascend --------------------------------------------------------

struct SetFlag {
  Pipe source, destination;
  Index id;
};
struct WaitFlag {
  Pipe source, destination;
  Index id;
};
struct PipeBarrier {
  Pipe pipe;
}; // Pipe::all drains every pipe of the core
/// Ascend 950: a lock holds up its pipe until every unlock of the id in front of it in the core's
/// stream has been executed; an unlock is, once all earlier work of its pipe has ended.
struct Mutex {
  static constexpr int64_t ids = 28; // of a core, from 0
  enum Kind : uint8_t { lock, unlock } kind;
  Pipe pipe;
  Index id;
  uint32_t watchers = 0; // a bit for each pipe that counts it (Program/Watchers.h)
};
/// Cross-core counting semaphore; mode 2: AIC <-> its two AIVs.
struct CrossSet {
  int mode;
  Pipe pipe;
  Index id;
};
/// On 910B it holds up the scalar unit, and with it whatever stands behind it in the core's stream.
struct CrossWait {
  Pipe pipe;
  Index id;
  uint32_t watchers = 0; // a bit for each pipe that does not go past it before it has passed
};

/// Both targets: start of the measured region. Everything in flight ends; `trace` counts from here.
struct Epoch {};

// ---- Operations: data ---------------------------------------------------------------------------

/// cp.async.bulk.tensor: global -> shared, one or several boxes; completes view bytes on `barrier`.
struct TmaLoad {
  View destination, source;
  MbarrierRef barrier;
  int64_t multicast = 0;
  CachePolicy cache = CachePolicy::normal;
};
/// cp.async.bulk.tensor: shared -> global, clipped at the tensor's extents; member of the bulk
/// group.
struct TmaStore {
  View destination, source;
  bool add = false;
  CachePolicy cache = CachePolicy::normal;
};
/// Which rows of a tensor a box takes: element r of `numbers`, of rank 1 of i32, says which is row
/// r along `dimension`. What it says outside of the tensor, or has no element for, is zeros.
struct RowNumbers {
  View numbers;
  int dimension = 0;
};
/// Copy by threads or by an Ascend pipe. Global -> on-chip fills out-of-range elements with zero;
/// on-chip -> global skips them. Converts between dtypes where the two sides differ.
/// `async`: cp.async (16/8/4 bytes), member of the cp.async group. `rows`: a gather, global ->
/// shared. `byUnits`: from L0C on FIX, which waits for each unit until a Mmad has handed it over,
/// and gives it back to M (FixpipeParams::unitFlag 3).
struct Copy {
  View destination, source;
  bool async = false;
  std::optional<RowNumbers> rows = {};
  bool byUnits = false;
};
/// A box into L2: a hint, which changes no value, and of which what is outside of the tensor is
/// left out. By all threads: prefetch.global.L2; by one: cp.async.bulk.prefetch.tensor, as TMA
/// loads.
struct Prefetch {
  View source;
};
struct Fill {
  View destination;
  double value;
};
/// The first elements of a tile as text (Program/TileText.h): of a tile in registers, every warp
/// its own rows.
struct Print {
  View source;
};
/// One i32 of a tile, which every executing thread reads alike. `response`: of a ClcTryCancel, all
/// of its 16 bytes, read as clusterlaunchcontrol.query_cancel reads them: the number in the grid, x
/// fastest, of the first CTA of the cluster that will not be launched; -1 where there was none.
struct ScalarRead {
  View source;
  ValueId result;
  bool response = false;
};
struct ScalarWrite {
  View destination;
  Index value;
};
/// clusterlaunchcontrol.try_cancel: asks for a cluster of the grid that has not been launched, and
/// then will not be. The response, 16 bytes, comes through the async proxy and completes its
/// bytes on `barrier`; `multicast`: both at the same places of every CTA of the cluster.
struct ClcTryCancel {
  static constexpr int64_t responseBytes = 16;
  View response;
  MbarrierRef barrier;
  bool multicast = false;
};
/// Into the shared memory of the cluster's CTA `barrier.remote`; completes the view's bytes on
/// `barrier` of that CTA. From shared memory: cp.async.bulk, by one lane. From registers: st.async,
/// every thread stores the elements that it holds, which it reads at once.
struct RemoteCopy {
  View destination, source;
  MbarrierRef barrier;
};
/// wgmma.mma_async, D[M,N] = A[M,K] B[K,N] (+ D when accumulate is non-zero): M/64 warpgroups of
/// the role take 64 rows each; K/16 (f16) instructions. A in smem or reg (fragA), B in smem.
struct Wgmma {
  View d, a, b;
  Index accumulate;
  bool anyTiles = false; // R28 leaves what the steps of its sum multiply to the author
};
/// What an Ascend Mmad does with the flags of its units, 512 bytes each of d: each says whether M
/// or FIX has the unit (MmadParams::unitFlag).
enum class UnitUse : uint8_t {
  none = 0,      // it does not look at them
  keeps = 2,     // waits for units until M has them, and keeps them
  handsOver = 3, // the same, and FIX has each of them as soon as it is summed up
};
/// Ascend Mmad: L0A x L0B (+ L0C) -> L0C.
struct Mmad {
  View d, a, b;
  Index accumulate;
  bool anyTiles = false; // as in Wgmma
  UnitUse units = UnitUse::none;
};
/// outs = fn(ins), element by element. Inputs with an extent of 1 are broadcast. With
/// fn.coordinates, two more arguments follow the inputs: row and column of the element (index).
/// Then come the values of `shared`.
struct Map {
  std::vector<View> outs, ins;
  ElementFn fn;
  std::vector<Index> shared = {}; // fn.shared of them
};
/// out[r] = `identity` combined with element(in[r][0]), element(in[r][1]) ... (axis 1), or of
/// columns (axis 0). Partial results, each from `identity` on, are f32 for floats, and rounded at
/// the end. With n columns (axis 1) in[r][c] goes to out[r][c / together % n].
struct Reduce {
  View out, in;
  int axis;
  double identity;                                 // isStart(combine, identity)
  ElementOp combine;                               // isCombine(combine)
  std::optional<ElementFn> element = std::nullopt; // none: the elements as they are
  int64_t together = 1;
};
/// Text of the author in the target's language, which reads and writes what it declares and nothing
/// else. Each executing warp may touch all of a tile in shared memory; `divided`: its rows alone,
/// as in a map. `async`: by the async proxy, all of it ended when the text ends.
struct Raw {
  std::string text;                              // Program/RawText.h
  std::vector<View> writes, reads;               // buffers
  std::vector<Index> scalars;                    // read
  std::vector<std::string> names;                // of writes, reads and scalars
  std::optional<ElementFn> model = std::nullopt; // writes = model(reads); none: unknown
  bool async = false, divided = false;
};

using AnyOperation =
    std::variant<Scalar, Grid, For, If, Role, MbarrierInit, MbarrierInval, MbarrierArrive,
                 MbarrierArriveExpectTx, MbarrierExpectTx, MbarrierWait, MbarrierTest, NamedBarrier,
                 WarpSync, ClusterBarrier, Fence, BulkCommit, BulkWait, CpAsyncCommit, CpAsyncWait,
                 CpAsyncArrive, CounterAdd, CounterWait, GridDependency, WgmmaFence, WgmmaCommit,
                 WgmmaWait, SetFlag, WaitFlag, PipeBarrier, Mutex, CrossSet, CrossWait, Epoch,
                 TmaLoad, TmaStore, Copy, Prefetch, Fill, Print, ScalarRead, ScalarWrite,
                 RemoteCopy, Wgmma, Mmad, Map, Reduce, Raw, TmemAlloc, TmemRelinquish, TmemDealloc,
                 TmemAddress, Tcgen05Mma, Tcgen05Commit, TmemLoad, TmemStore, TmemWait, TmemCopy,
                 TmemShift, ClcTryCancel>;

/// One of them. How it is copied and destroyed is compiled once, in Program.cpp, and not by every
/// file that includes this one.
struct Operation : AnyOperation {
  using AnyOperation::AnyOperation;
  Operation();
  Operation(const Operation &);
  Operation(Operation &&) noexcept;
  Operation &operator=(const Operation &);
  Operation &operator=(Operation &&) noexcept;
  ~Operation();
};

/// Which threads of the role execute an operation.
enum class Exec : uint8_t {
  threads,   // all threads of every warp
  warp,      // one elected lane of every warp
  warpgroup, // one elected lane of the first warp of every warpgroup
  one,       // one elected lane of the role's first warp
};

struct Stmt {
  Operation op;
  Exec exec = Exec::threads;
  Pipe pipe = Pipe::none; // Ascend: the pipe that executes it
  Location loc;
};

} // namespace sluice
