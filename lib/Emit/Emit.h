// Printers of source text. They print what the program says, statement by statement: no
// synchronisation, memory, predicate or copy of their own.
#pragma once

#include "Emit/LaunchPlan.h"
#include "Machine/Program.h"
#include "Machine/Result.h"

#include <string>

namespace sluice {

struct EmitOptions {
  bool comments = true; // header with barriers and memory map, a line per data operation
};

struct EmittedSource {
  std::string text;
  LaunchPlan plan;
};

/// CUDA C++17 for sm_90a that includes <sluice/device.cuh> alone. Unsupported: a program that the
/// target or this printer cannot express; the error says which statement and why.
Result<EmittedSource> emitCuda(const Program &program, const EmitOptions &options = {});

} // namespace sluice
