// Printers of source text. They print what the program says, statement by statement: no
// synchronisation, memory, predicate or copy of their own.
#pragma once

#include "Emit/LaunchPlan.h"
#include "Machine/Program.h"
#include "Machine/Result.h"

#include <string>

namespace sluice {

struct EmitOptions {
  bool comments = true;           // header with barriers and memory map
  bool places = true;             // "// gemm.cpp:42" where the author's line changes
  std::vector<std::string> about; // lines of the header: verdict, assumptions, barriers
};

struct EmittedSource {
  std::string text;
  LaunchPlan plan;
};

/// CUDA C++17 for sm_90a that includes <sluice/device.cuh> alone. Unsupported: a program that the
/// target or this printer cannot express; the error says which statement and why.
Result<EmittedSource> emitCuda(const Program &program, const EmitOptions &options = {});

} // namespace sluice
