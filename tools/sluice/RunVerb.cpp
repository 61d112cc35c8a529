// sluice run: compute, compare with the reference, write the outputs.
#include "Console.h"
#include "Device.h"
#include "Hang.h"
#include "Load.h"
#include "OnHost.h"
#include "Proof.h"
#include "Slots.h"
#include "Tensors.h"
#include "Verbs.h"

#include "Diagnose/Report.h"
#include "Emit/Checksums.h"
#include "Emit/Emit.h"
#include "Program/TensorMemory.h"
#include "Runtime/Run.h"
#include "Simulate/Simulate.h"
#include "Support/Json.h"
#include "Support/Npy.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>

namespace sluice::tool {
namespace {

struct Outcome {
  std::optional<double> error; // none: nothing to compare with
  std::string unknown = "no reference for a kernel from a file; give --expect"; // why
  double tolerance = 0;
  bool simulated = false;
  double cycles = 0, ms = 0; // cycles: of the virtual machine; 0 on a GPU
  int64_t events = 0;        // operations that the virtual machine executed
  std::string where;         // "virtual machine h100"
  std::vector<std::string> files;
  std::vector<std::string> assumptions; // what values rest on that no hardware gave
  Standing standing = {};
  std::optional<Verdict> verdict = {};      // what refused it: the check, or what the run met
  std::string hang;                         // what the watchdog saw
  std::optional<SlotComparison> slots = {}; // --compare
  std::optional<HostComparison> host = {};  // --device host
  bool good() const {
    return (!error || *error <= tolerance) && (!slots || slots->different == 0) &&
           (!host || host->good());
  }
};

/// What stopped a run, or nothing.
using Failure = std::optional<Error>;

Failure runSimulated(const Loaded &loaded, const Options &options, std::vector<HostTensor> &tensors,
                     Outcome &outcome, SlotWatch *watch = nullptr) {
  SimulateOptions how;
  how.seed = options.seed;
  how.chaos = options.chaos;
  how.lateReads = options.chaos > 0;
  std::mutex printing; // CTAs run in threads of their own
  if (!watch)
    how.print = [&](const std::string &text) {
      std::lock_guard lock(printing);
      std::fputs(text.c_str(), options.json ? stderr : stdout);
    };
  if (watch)
    how.awaited = [&](const Agent &agent, const Stmt &wait, const SlotBytes &bytes) {
      watch->see(agent, wait, bytes);
    };
  Progress progress("running");
  how.progress = [&](double fraction) { progress.show(fraction); };
  auto result = simulate(loaded.program, *loaded.arch, loaded.launch.arguments, tensors, how);
  if (!result)
    return result.error();
  outcome.where = "virtual machine " + loaded.arch->name;
  outcome.simulated = true;
  outcome.cycles = result->cycles;
  outcome.events = result->events;
  outcome.ms = result->cycles / (loaded.arch->clockGhz * 1e6);
  if (const auto &violation = result->violation) {
    outcome.verdict = met(*violation);
    return Error{Error::input, violation->rule + ": " + violation->message, violation->location};
  }
  return {};
}

/// Raw text whose results the virtual machine cannot know; null: none.
const Stmt *unmodelled(const Program &program) {
  const Stmt *found = nullptr;
  walk(program.body, [&](const Stmt &s) {
    if (const auto *raw = std::get_if<Raw>(&s.op); raw && !raw->model && !raw->writes.empty())
      found = found ? found : &s;
  });
  return found;
}

void compare(const Loaded &loaded, const std::vector<HostTensor> &tensors, const Matrices &expected,
             Outcome &outcome) {
  if (const Stmt *raw = outcome.simulated ? unmodelled(loaded.program) : nullptr) {
    outcome.unknown = "raw text at " + raw->loc.str() +
                      " has no model, so that what it writes is "
                      "not known here; run with --device cuda, or give it one";
    return;
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &tensor = loaded.program.tensors[i];
    auto reference = expected.find(tensor.name);
    if (!tensor.output || reference == expected.end())
      continue;
    double error = relativeError(toMatrix(tensors[i]), reference->second);
    outcome.error = std::max(outcome.error.value_or(0), error);
    outcome.tolerance = std::max(outcome.tolerance, toleranceOf(loaded, tensor.type));
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
  json.member("events", outcome.events);
  json.member("where", outcome.where).member("files", outcome.files);
  json.member("assumptions", outcome.assumptions);
  outcome.standing.members()(json);
  if (outcome.slots)
    json.member("slots", outcome.slots->slots)
        .member("slots_different", outcome.slots->different)
        .member("first_difference", outcome.slots->first);
  if (outcome.host)
    json.member("elements", outcome.host->elements)
        .member("elements_different", outcome.host->different)
        .member("elements_wrong", outcome.host->wrong)
        .member("largest_difference",
                std::min(outcome.host->largest, std::numeric_limits<double>::max()))
        .member("first_difference", outcome.host->first);
  json.endObject();
  return json.str() + "\n";
}

std::string text(const SlotComparison &slots) {
  const std::string all = std::to_string(slots.slots);
  if (slots.different == 0)
    return "  slots      all " + all + " agree with the virtual machine\n";
  return "  slots      first difference: " + slots.first + "\n             " +
         std::to_string(slots.different) + " of " + all + " differ from the virtual machine's\n";
}

std::string text(const Loaded &loaded, const Outcome &outcome) {
  char line[256];
  std::string out = loaded.program.name + " " + loaded.shape + " on " + outcome.where + "\n";
  if (outcome.error) {
    std::snprintf(line, sizeof line, "  error      %.3g of the largest value (%s %.3g)\n",
                  *outcome.error, outcome.good() ? "within" : "above", outcome.tolerance);
    out += line;
  } else {
    out += "  error      unknown: " + outcome.unknown + "\n";
  }
  if (outcome.simulated) {
    std::snprintf(line, sizeof line, "  time       %.4g cycles, %.4g ms of the modelled machine\n",
                  outcome.cycles, outcome.ms);
    out += line;
  } else if (outcome.host) {
    out += "  values     " + outcome.host->text() + "\n";
  } else {
    std::snprintf(line, sizeof line, "  time       %.4g ms\n", outcome.ms);
    out += line;
  }
  if (outcome.slots)
    out += text(*outcome.slots);
  for (const std::string &file : outcome.files)
    out += "  output     " + file + "\n";
  for (const std::string &assumption : outcome.assumptions)
    out += "  assuming   " + assumption + "\n";
  return out;
}

/// Prints what stopped the run; returns the exit code.
int refuse(const Error &error, const Outcome &outcome, const Options &options) {
  const int code = outcome.verdict ? tool::refuse(error, *outcome.verdict, options)
                                   : tool::refuse(error, options);
  std::fputs(outcome.hang.c_str(), stderr);
  return code;
}

/// A failure of the device, told by what the warps were waiting on.
Error hung(const Loaded &loaded, const std::vector<WatchdogNote> &notes, Outcome &outcome) {
  outcome.verdict = met(hang(loaded.program, notes));
  outcome.hang = blockedText(outcome.verdict->violations.front().blocked);
  return inputError(hangSummary(loaded.program, notes));
}

Failure runWatched(const Loaded &loaded, const Options &options, std::vector<HostTensor> &tensors,
                   Outcome &outcome) {
  auto watchdog = Watchdog::create();
  if (!watchdog)
    return watchdog.error();
  EmitOptions how;
  how.watchdog = kLongestWait;
  how.watchdogReport = watchdog->deviceAddress();
  auto source = emitCuda(loaded.program, how);
  if (!source)
    return source.error();
  const HangGuard guard(*watchdog, [&](const std::vector<WatchdogNote> &notes) {
    Outcome stuck;
    const Error error = hung(loaded, notes, stuck);
    return refuse(error, stuck, options);
  });
  auto result = runOnCuda(*source, loaded.launch.arguments, tensors);
  if (!result) {
    const auto notes = watchdog->notes();
    return notes.empty() ? result.error() : hung(loaded, notes, outcome);
  }
  outcome.where = result->device + ", waits bounded";
  outcome.ms = result->ms;
  return {};
}

/// Both machines on the same inputs: what their readers found in the slots of rings.
Failure runCompared(const Loaded &loaded, const Options &options, std::vector<HostTensor> &tensors,
                    Outcome &outcome) {
  if (readsNumbers(loaded.program))
    return unsupportedError("unsupported: what the warps of kernel " + loaded.program.name +
                            " do depends on numbers that they draw, so that two runs need not "
                            "fill the same slots");
  if (const Stmt *raw = unmodelled(loaded.program))
    return unsupportedError("unsupported: raw text at " + raw->loc.str() +
                            " has no model, so that the virtual machine does not know what the "
                            "slots hold");
  SlotWatch watch(loaded.program, loaded.launch);
  std::vector<HostTensor> copies = tensors;
  Outcome simulated;
  if (auto failure = runSimulated(loaded, options, copies, simulated, &watch)) {
    outcome.verdict = simulated.verdict;
    return failure;
  }
  if (watch.slots() == 0)
    return unsupportedError("unsupported: no role of kernel " + loaded.program.name +
                            " reads a slot of a ring behind a wait of its own");
  EmitOptions how;
  how.checksums = watch.most();
  auto source = emitCuda(loaded.program, how);
  if (!source)
    return source.error();
  const int64_t words = checksumWords(loaded.program, watch.ctas(), how.checksums);
  tensors.push_back(HostTensor::dense(DType::i32, {words}, 0));
  auto result = runOnCuda(*source, loaded.launch.arguments, tensors);
  if (!result)
    return result.error();
  std::vector<uint64_t> sums(size_t(words) / 2);
  std::memcpy(sums.data(), tensors.back().bytes.data(), 8 * sums.size());
  tensors.pop_back();
  outcome.slots = compareSlots(loaded.program, watch, how.checksums, sums);
  outcome.where = result->device + ", with checksums";
  outcome.ms = result->ms;
  return {};
}

Failure runCuda(const Loaded &loaded, const Options &options, std::vector<HostTensor> &tensors,
                Outcome &outcome) {
  if (options.compare)
    return runCompared(loaded, options, tensors, outcome);
  if (options.watchdog)
    return runWatched(loaded, options, tensors, outcome);
  auto source = emitCuda(loaded.program);
  if (!source)
    return source.error();
  auto result = runOnCuda(*source, loaded.launch.arguments, tensors);
  if (!result)
    return result.error();
  outcome.where = result->device;
  outcome.ms = result->ms;
  return {};
}

/// The printed text and the virtual machine on the same inputs.
Failure runHost(const Loaded &loaded, const Options &options, std::vector<HostTensor> &tensors,
                Outcome &outcome) {
  if (isAscend(loaded.program.target))
    return unsupportedError("unsupported: --device host runs printed CUDA C++, not text for " +
                            std::string(name(loaded.program.target)));
  if (const Stmt *raw = unmodelled(loaded.program))
    return unsupportedError("unsupported: raw text at " + raw->loc.str() +
                            " has no model, so that there is nothing to compare with");
  const bool exact = options.random.empty() && loaded.inputs.empty();
  auto found = runBesideHost(loaded, tensors, exact);
  if (!found)
    return found.error();
  outcome.host = *found;
  outcome.where = "the host, its printed text";
  return {};
}

bool prints(const Program &program) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) { found |= std::holds_alternative<Print>(s.op); });
  return found;
}

/// Everything after loading; the error is what to report.
Failure runLoaded(const Loaded &loaded, const Options &options, Outcome &outcome) {
  for (auto [names, option] : {std::pair{&options.out, "--out"}, {&options.expect, "--expect"}})
    if (auto known = checkOutputs(loaded.program, *names, option); !known)
      return known.error();
  const bool host = options.device == "host";
  auto cuda = host ? Result<bool>(false) : onCuda(loaded, options, {"sim", "cuda", "host"});
  if (!cuda)
    return cuda.error();
  if (options.watchdog && !*cuda)
    return inputError("--watchdog bounds waits on a GPU; the virtual machine tells by itself who "
                      "waits on what: leave it out, or run with --device cuda");
  if (options.compare && !*cuda)
    return inputError("--compare holds a GPU against the virtual machine: run with --device cuda");
  if (options.chaos && (*cuda || host))
    return inputError("--chaos delays operations of the virtual machine: run with --device sim");
  if (options.compare && options.watchdog)
    return inputError("--compare and --watchdog print different kernels: leave one of the two out");
  if ((*cuda || host) && options.json && prints(loaded.program))
    return inputError("--json: kernel " + loaded.program.name +
                      " prints tiles to stdout, where a " +
                      "device's printf writes; leave one of the two out");
  const bool exact = options.compare || (host && options.random.empty());
  auto tensors = makeTensors(loaded, options.seed, exact);
  if (!tensors)
    return tensors.error();
  auto expected = expectedOutputs(loaded, options, *tensors);
  if (!expected)
    return expected.error();
  outcome.standing = standingOf(loaded);
  if (*cuda)
    if (auto refused = admit(loaded, options, outcome.standing, outcome.verdict))
      return refused;
  warn(outcome.standing);
  if (auto failure = *cuda  ? runCuda(loaded, options, *tensors, outcome)
                     : host ? runHost(loaded, options, *tensors, outcome)
                            : runSimulated(loaded, options, *tensors, outcome))
    return failure;
  if (const auto readings = readingsOfLanes(loaded.program); !*cuda)
    outcome.assumptions = {readings.begin(), readings.end()};
  compare(loaded, *tensors, *expected, outcome);
  return writeOutputs(loaded, options, *tensors, outcome);
}

} // namespace

int runVerb(const Options &options) {
  if (!options.schedule.empty())
    return followVerb(options);
  auto loaded = loadOne(options);
  if (!loaded)
    return tool::refuse(loaded.error(), options);
  Outcome outcome;
  if (auto failure = runLoaded(*loaded, options, outcome))
    return refuse(*failure, outcome, options);
  if (auto written = writeText("", options.json ? json(outcome) : text(*loaded, outcome)); !written)
    return report(written.error());
  return outcome.good() ? kExitGood : kExitViolated;
}

} // namespace sluice::tool
