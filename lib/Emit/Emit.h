// Printers of source text. They print what the program says, statement by statement: no
// synchronisation, memory, predicate or copy of their own.
#pragma once

#include "Launch/EmittedSource.h"
#include "Program/Program.h"
#include "Support/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct EmitOptions {
  bool comments = true;        // header with barriers and memory map
  bool places = true;          // "// gemm.cpp:42" where the author's line changes
  bool syncIds = false;        // every synchronisation carries its number (SyncIds.h) into PTX
  int64_t watchdog = 0;        // nanoseconds that a wait may take; 0: for ever. With syncIds
  uint64_t watchdogReport = 0; // device address of WatchdogRecords; 0: a variable that is set
  int64_t checksums = 0;       // of ring slots that a warp keeps (Checksums.h); 0: none
  std::optional<int64_t> stampedCta; // its warps write when they did what (Stamps.h); x fastest
  std::vector<std::string> about;    // lines of the header: plan, verdict, assumptions
  /// Who arrives and waits, for the header's table; empty: only what the program itself says.
  struct BarrierNote {
    std::string name;             // of the mbarriers; of a named barrier: "named 1"
    int64_t count = 0, bytes = 0; // arrivals and bytes of a phase; named barriers: threads
    std::string arrives, waits;
  };
  std::vector<BarrierNote> barriers;
};

/// CUDA C++17 for sm_90a that includes <sluice/device.cuh> alone. Unsupported: a program that the
/// target or this printer cannot express; the error says which statement and why.
Result<EmittedSource> emitCuda(const Program &program, const EmitOptions &options = {});

/// Ascend C for the cube cores of 910B, which includes <sluice/cube.h> (device/ascend) beside the
/// toolchain's kernel_operator.h. Unsupported as above.
Result<EmittedSource> emitAscend(const Program &program, const EmitOptions &options = {});

} // namespace sluice
