// sluice run: compute, compare with the reference, write the outputs.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "Tensors.h"
#include "Verbs.h"

#include "Machine/Json.h"
#include "Machine/Npy.h"
#include "Simulate/Simulate.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace sluice::tool {
namespace {

struct Outcome {
  std::optional<double> error; // none: nothing to compare with
  double tolerance = 0;
  double cycles = 0, ms = 0; // cycles: of the virtual machine; 0 on a GPU
  std::string where;         // "virtual machine h100"
  std::vector<std::string> files;
  bool violated = false; // the virtual machine refused the program
  bool good() const { return !error || *error <= tolerance; }
};

/// What stopped a run, or nothing.
using Failure = std::optional<Error>;

Failure runSimulated(const Loaded &loaded, uint64_t seed, std::vector<HostTensor> &tensors,
                     Outcome &outcome) {
  SimulateOptions how;
  how.seed = seed;
  Progress progress("running");
  how.progress = [&](double fraction) { progress.show(fraction); };
  auto result = simulate(loaded.program, *loaded.arch, loaded.launch.arguments, tensors, how);
  if (!result)
    return result.error();
  outcome.where = "virtual machine " + loaded.arch->name;
  outcome.cycles = result->cycles;
  outcome.ms = result->cycles / (loaded.arch->clockGhz * 1e6);
  outcome.violated = result->violation.has_value();
  if (const auto &violation = result->violation)
    return Error{Error::input, violation->rule + ": " + violation->message, violation->location};
  return {};
}

void compare(const Loaded &loaded, const std::vector<HostTensor> &tensors, const Matrices &expected,
             Outcome &outcome) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &tensor = loaded.program.tensors[i];
    auto reference = expected.find(tensor.name);
    if (!tensor.output || reference == expected.end())
      continue;
    double error = relativeError(toMatrix(tensors[i]), reference->second);
    outcome.error = std::max(outcome.error.value_or(0), error);
    double tolerance = loaded.entry ? loaded.entry->tolerance : 0;
    outcome.tolerance =
        std::max(outcome.tolerance, tolerance > 0 ? tolerance : defaultTolerance(tensor.type));
  }
}

Failure writeOutputs(const Loaded &loaded, const Options &options,
                     const std::vector<HostTensor> &tensors, Outcome &outcome) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    auto path = options.out.find(loaded.program.tensors[i].name);
    if (path == options.out.end())
      continue;
    if (auto written = writeNpy(path->second, tensors[i]); !written)
      return written.error();
    outcome.files.push_back(path->second);
  }
  return {};
}

std::string json(const Outcome &outcome) {
  JsonWriter json;
  json.beginObject();
  json.key("error");
  if (outcome.error)
    json.value(
        std::min(*outcome.error, std::numeric_limits<double>::max())); // JSON has no infinity
  else
    json.null();
  json.member("tolerance", outcome.tolerance);
  json.member("cycles", outcome.cycles).member("ms", outcome.ms);
  json.member("where", outcome.where).member("files", outcome.files).endObject();
  return json.str() + "\n";
}

std::string text(const Loaded &loaded, const Outcome &outcome) {
  char line[256];
  std::string out = loaded.program.name + " " + loaded.shape + " on " + outcome.where + "\n";
  if (outcome.error) {
    std::snprintf(line, sizeof line, "  error      %.3g of the largest value (%s %.3g)\n",
                  *outcome.error, outcome.good() ? "within" : "above", outcome.tolerance);
    out += line;
  } else {
    out += "  error      unknown: no reference for a kernel from a file; give --expect\n";
  }
  if (outcome.cycles > 0) {
    std::snprintf(line, sizeof line, "  time       %.4g cycles, %.4g ms of the modelled machine\n",
                  outcome.cycles, outcome.ms);
    out += line;
  } else {
    std::snprintf(line, sizeof line, "  time       %.4g ms\n", outcome.ms);
    out += line;
  }
  for (const std::string &file : outcome.files)
    out += "  output     " + file + "\n";
  return out;
}

/// Everything after loading; the error is what to report.
Failure runLoaded(const Loaded &loaded, const Options &options, Outcome &outcome) {
  for (auto [names, option] : {std::pair{&options.out, "--out"}, {&options.expect, "--expect"}})
    if (auto known = checkOutputs(loaded.program, *names, option); !known)
      return known.error();
  auto tensors = makeTensors(loaded, options.seed);
  if (!tensors)
    return tensors.error();
  auto expected = expectedOutputs(loaded, options, *tensors);
  if (!expected)
    return expected.error();
  if (auto reason = unproven(loaded))
    note(reason->message);
  if (auto failure = runSimulated(loaded, options.seed, *tensors, outcome))
    return failure;
  compare(loaded, *tensors, *expected, outcome);
  return writeOutputs(loaded, options, *tensors, outcome);
}

} // namespace

int runVerb(const Options &options) {
  auto loaded = loadOne(options);
  if (!loaded)
    return report(loaded.error());
  Outcome outcome;
  if (auto failure = runLoaded(*loaded, options, outcome)) {
    int code = report(*failure);
    return outcome.violated ? kExitViolated : code;
  }
  if (auto written = writeText("", options.json ? json(outcome) : text(*loaded, outcome)); !written)
    return report(written.error());
  return outcome.good() ? kExitGood : kExitViolated;
}

} // namespace sluice::tool
