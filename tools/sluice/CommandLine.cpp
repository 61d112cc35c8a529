// Verbs, their options and their help.
#include "Console.h"
#include "Proof.h"
#include "Verbs.h"

#include "Support/Nearest.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace sluice::tool {
namespace {

enum Extra : unsigned {
  plain = 0,
  output = 1,
  unproven = 2,
  runs = 4,
  topic = 8,
  checks = 16,
  mutates = 32,
  emits = 64,
  benches = 128,
  tunes = 256,
  stamps = 512,
  traces = 1024,
  proves = 2048,  // for every launch
  machine = 4096, // and no kernel
  layouts = 8192, // and no kernel
  memories = 16384
};

struct Verb {
  const char *name, *summary, *examples;
  unsigned extras;
  const char *outputHelp;
  int (*run)(const Options &);
};

const Verb kVerbs[] = {
    {"check", "Prove a kernel free of deadlocks, races and slips, or show what is wrong",
     "  sluice check gemm --set M=4096 N=4096 K=4096\n"
     "  sluice check kernel.mlir --target sm_90a --json\n"
     "  sluice check kernel.mlir --counterexample bug.html\n\n"
     "Exit code: 0 proven for every launch (with --this-launch: for this one), 1 violated, 3 "
     "unsupported\n"
     "or proven for less.",
     checks | proves, "", checkVerb},
    {"run", "Compute, and compare with a float64 reference",
     "  sluice run gemm --set M=512 N=512 K=512 --random 1\n"
     "  sluice run gemm --in A=a.npy B=b.npy --out C=c.npy --device cuda\n\n"
     "Extents come from the files. Exit code: 0 within the tolerance, 1 above it.",
     unproven | runs, "", runVerb},
    {"trace", "Simulate one cluster or core on the clock and draw what overlaps",
     "  sluice trace gemm --set K=4096 -o gemm.html      a page with zoom and tooltips\n"
     "  sluice trace gemm -o gemm.svg                    a picture\n"
     "  sluice trace gemm -o gemm.json                   for ui.perfetto.dev\n"
     "  sluice trace gemm --target ascend910b            a summary in the terminal\n"
     "  sluice trace gemm --device cuda -o gemm.html     and below it what a GPU does",
     output | unproven | traces, "Picture (.svg), page (.html) or Chrome trace (.json)", traceVerb},
    {"barriers", "The table of barriers: counts, bytes, who arrives, who waits; and of roles",
     "  sluice barriers gemm\n  sluice barriers gemm --json", plain, "", barriersVerb},
    {"memory", "What lies where in the memories of a CTA or core, and when",
     "  sluice memory gemm -o gemm.svg\n"
     "  sluice memory gemm --target sm_100a --set K=1024 -o b200.svg    tensor memory too\n"
     "  sluice memory gemm --target ascend910b                          a table in the terminal",
     output | memories, "Picture (.svg): addresses down, time to the right", memoryVerb},
    {"mutate",
     "Break every synchronisation operation in turn: is each mutant refused, or harmless?",
     "  sluice mutate gemm --set M=128 N=128 K=256\n"
     "  sluice mutate kernel.mlir --sample 50 --random 7 --states 1000000 --chaos-runs 1000\n\n"
     "A mutant that is proven is tried at launches that let loops run 0 times up to twice as "
     "often\n"
     "as the longest ring has slots. Exit code: 1 when one of them can fail.",
     mutates, "", mutateVerb},
    {"plan", "Choose tiles, stages and roles, with the reason for every rejected candidate",
     "  sluice plan gemm --set M=4096 N=11008 K=4096\n"
     "  sluice plan gemm --set M=64 N=8192 K=8192 --json\n\n"
     "The fastest first: predicted cycles, time, share of the tensor cores' rate, and what limits "
     "a "
     "step.",
     plain, "", planVerb},
    {"tune", "Time the settings that plan puts first, on the GPU or on the machine model",
     "  sluice tune gemm --set M=4096 N=11008 K=4096\n"
     "  sluice tune gemm --set M=4096 N=11008 K=4096 --device sim --candidates 4\n"
     "  sluice tune gemm --set M=4096 N=4096 K=4096 --try \"bn=256 mode=persistent\" --try "
     "bn=192\n\n"
     "The fastest first. On the GPU each in turns with the vendor's library, as bench does it.",
     tunes, "", tuneVerb},
    {"emit", "Print readable source: CUDA C++ for sm_90a and sm_100a, Ascend C for ascend910b",
     "  sluice emit gemm                      to the terminal\n"
     "  sluice emit gemm -o out/              out/gemm.cu and the headers that it includes\n"
     "  sluice emit gemm --target ascend910b -o out/   out/gemm.cpp, out/sluice\n"
     "  sluice emit gemm --single-file -o gemm.cu\n"
     "  sluice emit gemm --standalone -o gemm.cu &&\n"
     "    nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a gemm.cu -o gemm && ./gemm 4096 "
     "4096 "
     "512",
     output | unproven | emits | stamps | proves,
     "File, or a folder: an existing one, or a name ending in /", emitVerb},
    {"build", "Emit and compile to a cubin with a launch manifest",
     "  sluice build gemm -o out\n"
     "  sluice build gemm --set M=4096 N=4096 K=4096 mode=persistent bn=256 -o out --json\n\n"
     "Writes KERNEL.cu, KERNEL.cubin and KERNEL.json (docs/manifest.md), for any extents that "
     "keep\n"
     "the alignment of those given. The cubin is kept in $SLUICE_CACHE_DIR or ~/.cache/sluice.",
     output | unproven | stamps | proves,
     "Folder, made where there is none (default: the current one)", buildVerb},
    {"bench", "Time a kernel, and the vendor library in the same process",
     "  sluice bench gemm --set M=4096 N=4096 K=4096 mode=persistent cluster=2x1 bn=256\n"
     "  sluice bench grouped_gemm --set rows=8192 groups=64 lengths=even\n"
     "  sluice bench gemm --sustained 2        also at length, with joules of a call\n"
     "  sluice bench gemm --device sim         the time that the machine model predicts\n\n"
     "Both in turns over 30 rounds, on rotating buffers; the ratio is the median of the rounds.\n"
     "For grouped_gemm the vendor library is called once for each group that has rows. Kernels of "
     "files\nare timed alone, and so are those that it has nothing for.",
     benches, "", benchVerb},
    {"explain",
     "What a rule means (R7), or what a kernel takes and its roles (gemm); without a topic: both "
     "lists",
     "  sluice explain R7\n  sluice explain gemm --set mode=persistent\n  sluice explain "
     "kernel.mlir",
     topic, "", explainVerb},
    {"arch",
     "What is known of a machine: capacities, rates, latencies, limits, each with its source",
     "  sluice arch sm_90a\n  sluice arch h200 --json\n\nWithout a name: all machines.", machine,
     "", archVerb},
    {"layout", "Size, offsets and a picture of a layout, or of what the layout algebra makes of it",
     "  sluice layout '((4,8),2):((1,16),8)' -o x.svg\n"
     "  sluice layout 'logical_divide((4,2,3):(2,1,8), 4:2)'\n"
     "  sluice layout 'sw128(8,64,f16)' -o banks.svg\n"
     "  sluice layout '((4,8),(2,2)):((32,1),(16,8))' --tile 16x8 -o mma.tex\n\n"
     "Functions and names: docs/layouts.md; without a layout: their list.",
     output | layouts, "Picture (.svg) or TikZ (.tex)", layoutVerb},
};

constexpr const char *kIntroduction =
    "Sluice pipelines tile kernels for accelerators, proves the "
    "result, runs it on a virtual machine\n"
    "and prints it as CUDA C++ (sm_90a, sm_100a) or Ascend C (ascend910b).";

constexpr const char *kFooter =
    "Start here:\n"
    "  sluice check gemm                 prove it\n"
    "  sluice trace gemm -o gemm.html    see its pipeline\n"
    "  sluice run gemm --random 1        compute on the virtual machine\n"
    "  sluice emit gemm -o gemm.cu       its source\n"
    "  sluice explain                    rules and kernels\n\n"
    "Exit codes: 0 good, 1 violated or above the tolerance, 2 usage or input, 3 unsupported.";

std::vector<std::string> verbNames() {
  std::vector<std::string> names;
  for (const Verb &verb : kVerbs)
    names.emplace_back(verb.name);
  return names;
}

void addVerb(CLI::App &app, const Verb &verb, Options &options) {
  CLI::App *sub = app.add_subcommand(verb.name, verb.summary);
  sub->allow_extras(); // checkRest names them
  if (verb.extras & topic) {
    addTopicOptions(*sub, options);
  } else if (verb.extras & machine) {
    addMachineOptions(*sub, options);
  } else if (verb.extras & layouts) {
    addLayoutOptions(*sub, options);
  } else {
    addKernelOptions(*sub, options);
  }
  if (verb.extras & output)
    addOutputOption(*sub, options, verb.outputHelp);
  if (verb.extras & unproven)
    addUnprovenOption(*sub, options);
  if (verb.extras & proves)
    addLimitOption(*sub, options);
  if (verb.extras & emits)
    addEmitOptions(*sub, options);
  if (verb.extras & stamps)
    addStampOptions(*sub, options);
  if (verb.extras & traces)
    addTraceOptions(*sub, options);
  if (verb.extras & memories)
    addMemoryOptions(*sub, options);
  if (verb.extras & checks)
    addCheckOptions(*sub, options);
  if (verb.extras & mutates)
    addMutateOptions(*sub, options);
  if (verb.extras & runs)
    addRunOptions(*sub, options);
  if (verb.extras & benches)
    addBenchOptions(*sub, options);
  if (verb.extras & tunes)
    addTuneOptions(*sub, options);
  if (*verb.examples)
    sub->footer(std::string("Examples:\n") + verb.examples);
}

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// Words that no option took, in our words.
Result<bool> checkRest(const CLI::App &app) {
  for (const std::string &word : app.remaining(true)) {
    if (!word.starts_with("-"))
      return inputError("unexpected argument '" + word + "'");
    auto names = optionNames(*app.get_subcommands().front());
    return inputError(unknownName("option", word.substr(0, word.find('=')), names));
  }
  return true;
}

int dispatch(const CLI::App &app, Options &options) {
  if (auto good = finish(options); !good)
    return refuse(good.error(), options);
  std::string chosen = app.get_subcommands().front()->get_name();
  for (const Verb &verb : kVerbs)
    if (chosen == verb.name)
      return verb.run(options);
  return kExitUsage;
}

} // namespace

int commandLine(int argc, const char *const *argv) {
  CLI::App app(kIntroduction, "sluice");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("sluice ") + SLUICE_VERSION);
  app.require_subcommand(1);
  Options options;
  for (const Verb &verb : kVerbs)
    addVerb(app, verb, options);
  options.json = std::ranges::find(argv, argv + argc, std::string("--json")) != argv + argc;
  if (argc < 2)
    return refuse(inputError("which verb? " + std::string("sluice --help shows them all")),
                  options);
  if (std::string first = argv[1]; !first.starts_with("-"))
    if (auto names = verbNames(); std::ranges::find(names, first) == names.end())
      return refuse(inputError(unknownName("verb", first, names)), options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError &error) {
    return refuse(inputError(error.what()), options);
  }
  if (auto good = checkRest(app); !good)
    return refuse(good.error(), options);
  return dispatch(app, options);
}

} // namespace sluice::tool
