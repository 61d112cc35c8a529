#include "Options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace sluice::tool {
namespace {

/// A[512,256], as verdicts write extents, is A=512x256.
std::string asSetting(std::string word) {
  const size_t open = word.find('[');
  if (open == 0 || open == std::string::npos || word.back() != ']' ||
      word.find('=') != std::string::npos)
    return word;
  word[open] = '=';
  word.pop_back();
  std::ranges::replace(word, ',', 'x');
  return word;
}

Result<std::map<std::string, std::string>> split(const std::vector<std::string> &pairs,
                                                 const std::string &option,
                                                 const std::string &example) {
  std::map<std::string, std::string> map;
  for (const std::string &pair : pairs) {
    size_t at = pair.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == pair.size())
      return inputError(option + " " + pair + ": write name=value, as in " + option + " " +
                        example);
    if (!map.emplace(pair.substr(0, at), pair.substr(at + 1)).second)
      return inputError(option + " " + pair + ": '" + pair.substr(0, at) + "' is given twice");
  }
  return map;
}

} // namespace

static void addJson(CLI::App &verb, Options &options) {
  verb.add_flag("--json", options.json, "JSON on stdout, and nothing else there");
}

/// What every verb of kernels takes, behind its topic.
static void addKernel(CLI::App &verb, Options &options, const char *topic, const char *help) {
  verb.add_option(topic, options.kernel, help);
  verb.add_option("--target", options.target,
                  "sm_90a, sm_100a, ascend910b or ascend950 (default: the kernel's only one, else "
                  "sm_90a)");
  verb.add_option(
      "--arch", options.arch,
      "Machine model: h100, b200, ascend910b2, public-a2a3 ... (default: the target's)");
  verb.add_option("--set", options.settings, "Parameters of the kernel: M=4096 N=4096 stages=4")
      ->type_name("NAME=VALUE ...");
  addJson(verb, options);
  verb.add_flag("--dump-after-each", options.dumpAfterEach,
                "The kernel's text after every pass, on stderr");
}

void addKernelOptions(CLI::App &verb, Options &options) {
  addKernel(verb, options, "kernel", "Name of a kernel (sluice explain lists them) or file.mlir");
}
void addTopicOptions(CLI::App &verb, Options &options) {
  addKernel(verb, options, "topic", "Label of a rule, name of a kernel, or file.mlir");
}

void addMachineOptions(CLI::App &verb, Options &options) {
  verb.add_option("machine", options.kernel,
                  "sm_90a, sm_100a, ascend910b, ascend950, or a machine: h200, public-a2a3 ...");
  addJson(verb, options);
}

void addLayoutOptions(CLI::App &verb, Options &options) {
  verb.add_option("layout", options.kernel, "As in '((4,8),2):((1,16),8)', 'zN(64,32,f16)'");
  verb.add_option("--tile", options.tile,
                  "The layout's two modes are threads and their values: whose is which element of "
                  "such a tile?")
      ->type_name("ROWSxCOLUMNS");
  verb.add_option("--type", options.type,
                  "Type of elements in shared memory: colours tell its banks");
  addJson(verb, options);
}

void addOutputOption(CLI::App &verb, Options &options, const std::string &help) {
  verb.add_option("-o,--output", options.output, help)
      ->type_name("PATH")
      ->check([](const std::string &path) { return path.empty() ? "the path is empty" : ""; });
}

void addUnprovenOption(CLI::App &verb, Options &options) {
  verb.add_flag("--unproven", options.unproven,
                "Go on although the check did not prove the kernel");
}

void addLimitOption(CLI::App &verb, Options &options) {
  verb.add_option(
          "--limit", options.limit,
          "Seconds of the processor that the proof for every launch may take, and a run of one "
          "launch (default: 30)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 86400.0));
}

void addEmitOptions(CLI::App &verb, Options &options) {
  verb.add_flag("--single-file", options.singleFile, "The headers of device/ inside the text");
  verb.add_flag("--watchdog", options.watchdog, "Bounds every wait to 2 s; see docs/emit.md");
  verb.add_flag("--ids", options.ids,
                "Every synchronisation carries its number into PTX, as a comment");
  verb.add_flag("--standalone", options.standalone,
                "With a main that fills tensors, compares with a reference and takes the time: "
                "nvcc alone makes a program of it, of Ascend C the CMake file beside it");
}

static CLI::Option *addCtaOption(CLI::App &verb, Options &options, const std::string &help) {
  return verb.add_option("--cta", options.cta, help)
      ->type_name("N")
      ->check(CLI::Range(0, INT32_MAX));
}

void addStampOptions(CLI::App &verb, Options &options) {
  verb.add_flag("--stamps", options.stamps,
                "The warps of one CTA write when they did what; see docs/trace.md");
  verb.add_flag("--checksums", options.checksums,
                "Readers of ring slots write a checksum of what they found; see docs/emit.md");
  addCtaOption(verb, options, "With --stamps: which CTA, counted with x fastest (default: 0)")
      ->needs("--stamps");
}

void addTraceOptions(CLI::App &verb, Options &options) {
  verb.add_option("--device", options.device,
                  "sim (default), or cuda: also what a GPU does, measured by its own clock");
  addCtaOption(verb, options, "Which CTA, counted with x fastest (default: 0)");
}

void addMemoryOptions(CLI::App &verb, Options &options) {
  addCtaOption(verb, options, "Which CTA, counted with x fastest (default: 0)");
}

void addCheckOptions(CLI::App &verb, Options &options) {
  verb.add_option("--counterexample", options.counterexample,
                  "Where a violation is found: a short failing schedule, as a picture (.svg), page "
                  "(.html) or steps (.json) that `run --schedule` follows")
      ->type_name("PATH");
  verb.add_flag("--this-launch", options.thisLaunch,
                "Look at this launch alone: its extents, arguments and numbers")
      ->excludes("--limit");
  verb.add_flag("--strict", options.strict,
                "Also refuse what most kernels do and the memory model does not promise (R39)");
}

void addMutateOptions(CLI::App &verb, Options &options) {
  verb.add_option("--sample", options.sample,
                  "So many of the mutants, drawn at random (default: all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  verb.add_option("--random", options.random, "With --sample: its seed (default: 0)")
      ->type_name("SEED")
      ->needs("--sample");
  verb.add_option("--states", options.states,
                  "States after which the explorer gives up (default: 30000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  verb.add_option("--chaos-runs", options.chaosRuns,
                  "Runs with random delays where it gives up (default: 5)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
}

static void addInputOptions(CLI::App &verb, Options &options) {
  verb.add_option("--in", options.inputs, "Input tensors: A=a.npy B=b.npy")
      ->type_name("NAME=FILE ...");
  verb.add_option("--random", options.random,
                  "Inputs that are not given are drawn from a normal distribution (default: 0)")
      ->type_name("SEED");
}

void addRunOptions(CLI::App &verb, Options &options) {
  addInputOptions(verb, options);
  verb.add_option("--out", options.outputs, "Where outputs go: C=c.npy")
      ->type_name("NAME=FILE ...");
  verb.add_option("--expect", options.expected, "Compare an output with a file: C=c.npy")
      ->type_name("NAME=FILE ...");
  verb.add_option("--schedule", options.schedule,
                  "Follow the steps of a failing schedule (check --counterexample x.json) on the "
                  "virtual machine")
      ->type_name("FILE");
  verb.add_flag("--watchdog", options.watchdog,
                "cuda: no wait takes longer than 2 s; then every warp tells what it waits on");
  verb.add_flag("--compare", options.compare,
                "cuda: names the first slot of a ring whose bytes are not those of the virtual "
                "machine; inputs that are not given are small integers");
  verb.add_option("--chaos", options.chaos,
                  "sim: operations take up to so many cycles more, drawn from the seed of "
                  "--random; what is proven computes the same")
      ->type_name("CYCLES")
      ->check(CLI::Range(1.0, 1e6))
      ->excludes("--schedule");
  verb.add_option("--device", options.device,
                  "sim or cuda (default: cuda where there is a GPU), or host: the printed text by "
                  "the host's compiler, compared with sim element by element");
}

void addPredictOptions(CLI::App &verb, Options &options) {
  addInputOptions(verb, options);
  verb.add_option("--device", options.device,
                  "cuda (default), or sim: what the machine model predicts");
}

void addBenchOptions(CLI::App &verb, Options &options) {
  addPredictOptions(verb, options);
  verb.add_option("--sustained", options.sustained,
                  "Also so many seconds of calls of either, twice in turns: their time and joules")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 60.0));
}

void addTuneOptions(CLI::App &verb, Options &options) {
  addPredictOptions(verb, options);
  verb.add_option("--candidates", options.candidates,
                  "So many of the planner's settings are timed, 1 to 16 (default: 8)")
      ->check(CLI::Range(1, 16));
  verb.add_option(
          "--try", options.tries,
          "Settings that are timed instead of the planner's: \"bm=256 bn=176\"; once for each")
      ->allow_extra_args(false)
      ->excludes("--candidates");
}

Result<bool> finish(Options &options) {
  // "--set M=1 gemm": the list of values takes the kernel's name too.
  for (auto *list : {&options.settings, &options.inputs, &options.outputs, &options.expected})
    if (options.kernel.empty() && !list->empty() && list->back().find('=') == std::string::npos) {
      options.kernel = list->back();
      list->pop_back();
    }
  std::ranges::transform(options.settings, options.settings.begin(), asSetting);
  const auto plus = std::ranges::find(options.settings, "+");
  const std::vector<std::string> first(options.settings.begin(), plus);
  const std::vector<std::string> rest(plus == options.settings.end() ? plus : plus + 1,
                                      options.settings.end());
  if (rest.empty() && plus != options.settings.end())
    return inputError("--set ... +: nothing is said of a second launch, as in --set ... + N=512");
  struct {
    const std::vector<std::string> &pairs;
    std::map<std::string, std::string> &map;
    const char *option, *example;
  } parts[] = {{first, options.set, "--set", "M=4096"},
               {rest, options.rest, "--set ... +", "N=512"},
               {options.inputs, options.in, "--in", "A=a.npy"},
               {options.outputs, options.out, "--out", "C=c.npy"},
               {options.expected, options.expect, "--expect", "C=c.npy"}};
  for (auto &part : parts) {
    auto map = split(part.pairs, part.option, part.example);
    if (!map)
      return map.error();
    part.map = std::move(*map);
  }
  const std::string random = options.random.empty() ? "0" : options.random;
  auto [end, code] = std::from_chars(random.data(), random.data() + random.size(), options.seed);
  if (code != std::errc{} || end != random.data() + random.size())
    return inputError("--random " + random + ": the seed is an integer from 0 to 2^64 - 1");
  return true;
}

} // namespace sluice::tool
