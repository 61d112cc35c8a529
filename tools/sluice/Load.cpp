#include "Load.h"

#include "Console.h"
#include "Launching.h"

#include "Diagnose/Check.h"
#include "Program/Assumption.h"
#include "Support/Nearest.h"
#include "Support/Npy.h"
#include "sluice/Compile.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace sluice::tool {
namespace {

bool isFile(const std::string &kernel) {
  return kernel.ends_with(".mlir") || kernel.find('/') != std::string::npos ||
         (!findKernel(kernel) && std::filesystem::exists(kernel));
}

std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> targetNames(const std::vector<Target> &targets) {
  std::vector<std::string> names;
  for (Target t : targets)
    names.emplace_back(name(t));
  return names;
}

const std::vector<Target> kTargets = {Target::sm_90a, Target::sm_100a, Target::ascend910b,
                                      Target::ascend950};

/// Machine that --target and --arch name for a kernel written for the targets `has` (none: any).
Result<const Arch *> settleMachine(const Options &options, const std::string &kernel,
                                   const std::vector<Target> &has) {
  const Arch *arch = options.arch.empty() ? nullptr : findArch(options.arch);
  std::optional<Target> target = parseTarget(options.target);
  if (!options.arch.empty() && !arch)
    return inputError(unknownName("machine", options.arch, archNames()));
  if (!options.target.empty() && !target)
    return inputError(unknownName("target", options.target, targetNames(kTargets)));
  if (arch && target && arch->target != *target)
    return inputError("--arch " + arch->name + " is a machine of " +
                      std::string(name(arch->target)) + ", --target says " + options.target);
  if (arch)
    target = arch->target;
  if (!target)
    target = has.empty() || std::ranges::find(has, Target::sm_90a) != has.end() ? Target::sm_90a
                                                                                : has.front();
  if (!has.empty() && std::ranges::find(has, *target) == has.end())
    return unsupportedError("kernel '" + kernel + "' is not written for " +
                            std::string(name(*target)) + "; it is for " + join(targetNames(has)));
  return arch ? arch : &defaultArch(*target);
}

Result<Program> compileFor(const Kernel &kernel, const Arch &arch, const Options &options) {
  CompileOptions compile;
  compile.target = arch.target;
  compile.arch = &arch;
  compile.buffering = {options.stages, options.staging};
  if (options.dumpAfterEach)
    compile.dumpAfterEach = [](const std::string &pass, const std::string &text) {
      std::fprintf(stderr, "// ---- after %s\n%s\n", pass.c_str(), text.c_str());
    };
  return sluice::compile(kernel, compile);
}

Result<std::map<std::string, HostTensor>> readInputs(const Options &options) {
  std::map<std::string, HostTensor> tensors;
  for (const auto &[name, path] : options.in) {
    auto tensor = readNpy(path);
    if (!tensor)
      return tensor.error();
    tensors.emplace(name, std::move(*tensor));
  }
  return tensors;
}

/// Where the launch breaks what the author assumes; a launch that keeps it may not exist.
std::optional<Error> refusal(const Program &program, const Launch &launch) {
  auto broken = brokenAssumption(program, launch);
  if (!broken)
    return broken;
  auto impossible = impossibleAssumption(program);
  return impossible ? impossible : broken;
}

// ---- Kernels of the catalogue -----------------------------------------------------------------

/// Parameters from --set, completed by the extents of the input files.
Result<Parameters> settleParameters(const KernelEntry &entry, const Options &options,
                                    const std::map<std::string, HostTensor> &inputs) {
  auto parameters = resolve(entry, options.set);
  if (!parameters || inputs.empty())
    return parameters;
  auto settings = inferParameters(entry, *parameters, options.set, inputs);
  if (!settings)
    return settings.error();
  return resolve(entry, *settings);
}

Result<std::vector<Loaded>> loadEntry(const KernelEntry &entry, const Options &options) {
  auto inputs = readInputs(options);
  if (!inputs)
    return inputs.error();
  auto arch = settleMachine(options, entry.name, entry.targets);
  if (!arch)
    return arch.error();
  auto parameters = settleParameters(entry, options, *inputs);
  if (!parameters)
    return parameters.error();
  auto kernel = entry.build(*parameters, **arch);
  if (!kernel)
    return kernel.error();
  auto program = compileFor(*kernel, **arch, options);
  if (!program)
    return program.error();
  auto launch = entryLaunch(entry, *parameters, *program);
  if (!launch)
    return launch.error();
  if (auto good = steer(entry, *parameters, *program, *inputs, options.seed, *launch); !good)
    return good.error();
  if (auto refused = refusal(*program, *launch))
    return *refused;
  Loaded loaded{std::move(*program),
                *arch,
                std::move(*launch),
                parameterText(entry, *parameters),
                &entry,
                *parameters,
                /*byHand=*/false,
                barrierNames(*kernel),
                std::move(*inputs)};
  std::vector<Loaded> one;
  one.push_back(std::move(loaded));
  return one;
}

// ---- Kernels of a file ------------------------------------------------------------------------

Result<std::vector<Loaded>> loadFile(const Options &options, Missing missing) {
  auto kernels = parseKernels(options.kernel);
  if (!kernels)
    return kernels.error();
  if (kernels->empty())
    return inputError("'" + options.kernel + "' holds no sluice.kernel");
  auto inputs = readInputs(options);
  if (!inputs)
    return inputs.error();
  std::vector<Loaded> all;
  std::vector<Program> programs;
  std::vector<const Arch *> machines;
  for (const Kernel &kernel : *kernels) {
    std::vector<Target> has;
    if (kernel.target())
      has.push_back(*kernel.target());
    auto arch = settleMachine(options, kernel.name(), has);
    if (!arch)
      return arch.error();
    auto program = compileFor(kernel, **arch, options);
    if (!program)
      return program.error();
    programs.push_back(std::move(*program));
    machines.push_back(*arch);
  }
  if (auto known = checkNames(options.set, *inputs, programs); !known)
    return known.error();
  for (size_t i = 0; i < programs.size(); ++i) {
    auto launch = fileLaunch(programs[i], options.set, *inputs, missing);
    if (!launch)
      return launch.error();
    if (auto refused = refusal(programs[i], *launch))
      return *refused;
    std::string shape = shapeText(programs[i], *launch);
    all.push_back({std::move(programs[i]),
                   machines[i],
                   std::move(*launch),
                   shape,
                   nullptr,
                   {},
                   (*kernels)[i].byHand(),
                   barrierNames((*kernels)[i]),
                   *inputs});
  }
  return all;
}

} // namespace

std::string parameterText(const KernelEntry &entry, const Parameters &parameters) {
  std::string text;
  for (const Parameter &p : entry.parameters) {
    const std::string &value = parameters.text(p.name);
    bool number = p.choices.empty() && value != "auto";
    if (number || p.name == "dtype" || value != p.value)
      text += (text.empty() ? "" : " ") + p.name + "=" + value;
  }
  return text;
}

Result<std::vector<Loaded>> load(const Options &options, Missing missing) {
  if (options.kernel.empty())
    return inputError("which kernel? give its name (" + join(kernelNames()) + ") or a .mlir file");
  if (!options.rest.empty())
    return inputError("--set ... + ...: bench and tune alone take a second launch");
  if (isFile(options.kernel))
    return loadFile(options, missing);
  if (const KernelEntry *entry = findKernel(options.kernel))
    return loadEntry(*entry, options);
  return inputError(unknownName("kernel", options.kernel, kernelNames()));
}

Result<Loaded> loadOne(const Options &options) {
  auto all = load(options);
  if (!all)
    return all.error();
  if (all->size() == 1)
    return std::move(all->front());
  std::vector<std::string> names;
  for (const Loaded &loaded : *all)
    names.push_back(loaded.program.name);
  return inputError("'" + options.kernel + "' holds " + std::to_string(all->size()) + " kernels (" +
                    join(names) + "); this verb takes a file with one");
}

} // namespace sluice::tool
