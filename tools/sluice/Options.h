// What the user asked for: the options that the verbs share.
#pragma once

#include "Support/Result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sluice::tool {

struct Options {
  std::string kernel; // a name of the catalogue, or the path of a .mlir file; what a verb is about
  std::string target, arch, device = "auto", random;
  std::vector<std::string> settings, inputs, outputs, expected; // name=value
  std::string output;                                           // -o
  std::string counterexample, schedule;                         // paths
  double limit = 30;                                            // seconds
  bool json = false, unproven = false, dumpAfterEach = false, strict = false;
  bool thisLaunch = false;                                  // check
  bool watchdog = false;                                    // run, emit
  bool singleFile = false, standalone = false, ids = false; // emit
  bool stamps = false, checksums = false;                   // emit, build
  bool compare = false;                                     // run
  double chaos = 0;                                         // run: cycles
  int64_t cta = 0;                                          // which CTA is stamped, x fastest

  double sustained = 0;           // bench: seconds of calls of either
  int candidates = 8;             // tune
  std::vector<std::string> tries; // tune: settings instead of the planner's

  std::string tile, type; // layout

  // mutate
  int64_t sample = 0, states = 30'000;
  int chaosRuns = 5;

  /// Buffering of kernels of a file, where a planner tries some.
  std::optional<int64_t> stages, staging;

  // Filled by finish().
  std::map<std::string, std::string> set, in, out, expect;
  std::map<std::string, std::string> rest; // --set ... + ...: of a second launch, see Parts.h
  uint64_t seed = 0;
};

/// Kernel, --target, --arch, --set, --json: for every verb that takes a kernel.
void addKernelOptions(CLI::App &verb, Options &options);
/// A rule or a kernel, and what settles the kernel.
void addTopicOptions(CLI::App &verb, Options &options);
/// A machine or a target.
void addMachineOptions(CLI::App &verb, Options &options);
/// A layout, and how it is shown.
void addLayoutOptions(CLI::App &verb, Options &options);
void addOutputOption(CLI::App &verb, Options &options, const std::string &help);
void addUnprovenOption(CLI::App &verb, Options &options);
void addLimitOption(CLI::App &verb, Options &options);
void addMemoryOptions(CLI::App &verb, Options &options);
void addCheckOptions(CLI::App &verb, Options &options);
void addMutateOptions(CLI::App &verb, Options &options);
void addEmitOptions(CLI::App &verb, Options &options);
void addStampOptions(CLI::App &verb, Options &options);
void addTraceOptions(CLI::App &verb, Options &options);
void addRunOptions(CLI::App &verb, Options &options);
void addPredictOptions(CLI::App &verb, Options &options);
void addBenchOptions(CLI::App &verb, Options &options);
void addTuneOptions(CLI::App &verb, Options &options);

/// Splits the name=value pairs and reads the seed.
Result<bool> finish(Options &options);

} // namespace sluice::tool
