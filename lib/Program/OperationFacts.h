// What is known of every operation, in one table: what it is called, which machine has it and which
// of its threads execute it, which views it reads and writes, what it does to an mbarrier, a flag,
// a counter, a group of asynchronous work, or who meets there. Machine, checker, printer and
// pictures ask here; a new operation begins with an entry. (The explorer has its own.)
#pragma once

#include "Program/Program.h"

#include <string>
#include <string_view>

namespace sluice {

/// What an operation does to an mbarrier, once for each lane that executes it.
struct BarrierDeed {
  enum Kind : uint8_t { none, init, inval, signal, wait, test } kind = none;
  const MbarrierRef *barrier = nullptr;
  int64_t count = 0;                // init: of a phase; signal: arrivals
  const Index *announces = nullptr; // signal: bytes that the phase waits for
  const View *completes = nullptr;  // signal: what a copy lands, its bytes
  int64_t multicast = 0;            // mask of the CTAs whose barrier is meant; 0: that of `barrier`
  bool wholeArray = false;          // init, inval
  bool signals() const { return kind == signal; }
  bool waits() const { return kind == wait; }
};

/// What it does to a flag of Ascend: between two pipes of a core, or between cores. Of a mutex a
/// lock waits for what unlocks set.
struct FlagDeed {
  enum Kind : uint8_t { none, set, wait } kind = none;
  bool cross = false;
  Pipe source = Pipe::none, destination = Pipe::none; // not of cross-core flags; a mutex: its pipe
  const Index *id = nullptr;
  bool mutex = false;
  bool ofPipes() const { return kind != none && !cross && !mutex; }
};

/// What it does to a counter of a tensor.
struct CounterDeed {
  enum Kind : uint8_t { none, add, wait } kind = none;
  const View *counter = nullptr;
  const Index *value = nullptr; // that is added, or waited for
};

/// What it does to the groups of asynchronous work of a thread or warp: it is a member of the open
/// one, closes it, or waits until all but the last `pending` have ended.
struct GroupDeed {
  enum Kind : uint8_t { none, joins, commits, waits } kind = none;
  enum Queue : uint8_t { bulk, copies, wgmmas, products, tensorLoads, tensorStores } queue = bulk;
  static constexpr size_t queues = 6;
  int64_t pending = 0;
  bool read = false; // waits: until the members have read
};

/// Where agents of a CTA, cluster or core meet, and are no part of memory.
struct MeetingDeed {
  enum Kind : uint8_t { none, named, cluster, pipes } kind = none;
  bool arrives = false, waits = false; // for the others
  const Index *id = nullptr;           // named
};

/// A tile that goes from one place to another as it is, or converted.
struct TileMove {
  const View *destination = nullptr, *source = nullptr;
  explicit operator bool() const { return destination; }
};

/// d = a b, and what d was where `accumulate` is not zero.
struct TileProduct {
  const View *d = nullptr, *a = nullptr, *b = nullptr;
  const Index *accumulate = nullptr;
  explicit operator bool() const { return d; }
};

/// Which threads may execute it.
enum class Executors : uint8_t {
  any,        // whoever reaches it, each for itself
  warp,       // all threads of a warp together (".aligned", or by definition)
  warpgroups, // all threads of whole warpgroups together
  elected,    // one of a warp: every thread that executes it issues the whole
};

/// Ascend: whether it waits for the units of a tile of L0C until one of M and FIX has them, and
/// whether the other one has them then.
struct UnitsDeed {
  const View *tile = nullptr; // null: it does not
  bool byFix = false;         // waits until FIX has them
  bool handsOver = false;
  explicit operator bool() const { return tile; }
};

enum class MachineKind : uint8_t { any, nvidia, ascend };

/// Views of an operation, in its order; a counter that is added to is written, one that is waited
/// for is read.
struct Touched {
  std::vector<const View *> writes, reads;
};

struct OperationFacts {
  std::string_view name = "operation"; // "arrive.expect_tx"
  MachineKind machine = MachineKind::any;
  Executors executors = Executors::any;
  bool blocks = false; // the thread that executes it, while other lanes go on
  Touched views = {};
  TileMove move = {};       // of these views
  TileProduct product = {}; // of these views
  BarrierDeed barrier = {};
  FlagDeed flag = {};
  CounterDeed counter = {};
  GroupDeed group = {};
  MeetingDeed meeting = {};
  UnitsDeed units = {};
  ValueId number = kNone;      // that it gives and finds in memory: known in the run alone
  const View *hint = nullptr;  // touched for speed alone: no rule asks, no value changes
  bool byAsyncProxy = false;   // its accesses of tensors
  bool ofTensorMemory = false; // no machine without it has the operation

  bool steers = false; // it is computed or gone into, and no more

  /// Whether it goes on behind its statement, until a barrier or a group says that it has ended.
  bool goesOn() const { return barrier.completes || group.kind == GroupDeed::joins; }
  /// Whether who executes it may have to wait for what another agent does.
  bool waitsForOthers() const {
    return barrier.waits() || flag.kind == FlagDeed::wait || counter.kind == CounterDeed::wait ||
           meeting.waits || units;
  }
};
/// It points into the operation.
OperationFacts factsOf(const Operation &op);

// ---- Columns of the table ---------------------------------------------------------------------

std::string operationName(const Operation &op);
BarrierDeed barrierDeed(const Operation &op);
FlagDeed flagDeed(const Operation &op);
CounterDeed counterDeed(const Operation &op);
GroupDeed groupDeed(const Operation &op);
MeetingDeed meetingDeed(const Operation &op);
UnitsDeed unitsDeed(const Operation &op);
TileMove moveOf(const Operation &op);
TileProduct productOf(const Operation &op);
/// kNone: it gives none.
ValueId numberOf(const Operation &op);
Touched touchedBy(const Operation &op);
/// All views, those written first.
std::vector<const View *> viewsOf(const Operation &op);
/// The mbarrier that an operation signals, waits for or initialises; null: none.
const MbarrierRef *mbarrierOf(const Operation &op);

} // namespace sluice
