// What is known of every operation, in one table: what it is called, which machine has it and which
// of its threads execute it, which views it reads and writes, what it does to an mbarrier or a
// flag. Machine, checker, printer and pictures ask here; a new operation begins with an entry. (The
// explorer has its own.)
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

/// What it does to a flag of Ascend: between two pipes of a core, or between cores.
struct FlagDeed {
  enum Kind : uint8_t { none, set, wait } kind = none;
  bool cross = false;
  Pipe source = Pipe::none, destination = Pipe::none; // not of cross-core flags
  const Index *id = nullptr;
};

/// Which threads may execute it.
enum class Executors : uint8_t {
  any,        // whoever reaches it, each for itself
  warp,       // all threads of a warp together (".aligned", or by definition)
  warpgroups, // all threads of whole warpgroups together
  elected,    // one of a warp: every thread that executes it issues the whole
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
  bool multiplies = false; // views: written the sum, read a and b
  BarrierDeed barrier = {};
  FlagDeed flag = {};
};
/// It points into the operation.
OperationFacts factsOf(const Operation &op);

// ---- Columns of the table ---------------------------------------------------------------------

std::string operationName(const Operation &op);
BarrierDeed barrierDeed(const Operation &op);
FlagDeed flagDeed(const Operation &op);
Touched touchedBy(const Operation &op);
/// All views, those written first.
std::vector<const View *> viewsOf(const Operation &op);
/// The mbarrier that an operation signals, waits for or initialises; null: none.
const MbarrierRef *mbarrierOf(const Operation &op);

} // namespace sluice
