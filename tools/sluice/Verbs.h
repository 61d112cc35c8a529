// The verbs of the command line: each takes the options and returns the exit code. One file a verb.
#pragma once

#include "Options.h"

namespace sluice::tool {

int checkVerb(const Options &options);
int runVerb(const Options &options);
int followVerb(const Options &options); // run --schedule
int traceVerb(const Options &options);
int barriersVerb(const Options &options);
int mutateVerb(const Options &options);
int emitVerb(const Options &options);
int buildVerb(const Options &options);
int explainVerb(const Options &options);
int archVerb(const Options &options);
int memoryVerb(const Options &options);
int layoutVerb(const Options &options);
int benchVerb(const Options &options);
int planVerb(const Options &options);
int tuneVerb(const Options &options);

/// Runs the command line; what main() returns.
int commandLine(int argc, const char *const *argv);

} // namespace sluice::tool
