#include "BufferingPlan.h"

#include "Simulate/Simulate.h"

#include "sluice/Compile.h"

#include <algorithm>
#include <span>

namespace sluice::tool {
namespace {

constexpr int64_t stagesTried[] = {1, 2, 3, 4, 6, 8, 12, 16};
constexpr int64_t stagingTried[] = {0, 1, 2};

std::string settingsOf(const Options &options) {
  const std::string stages = options.stages ? "stages=" + std::to_string(*options.stages) : "";
  const std::string staging = options.staging ? "staging=" + std::to_string(*options.staging) : "";
  return stages + (stages.empty() || staging.empty() ? "" : " ") + staging;
}

/// What is tried of a setting: nothing, where it has no effect.
std::vector<std::optional<int64_t>> triedOf(bool open, std::span<const int64_t> values) {
  if (!open)
    return {std::nullopt};
  return {values.begin(), values.end()};
}

/// "x and g: 4 slots, 128 KB"
std::string ringsOf(const Program &program) {
  std::string names;
  int64_t slots = 1, bytes = 0;
  for (const Buffer &buffer : program.buffers)
    if (buffer.space == Space::smem && buffer.slots > 1) {
      names += (names.empty() ? "" : ", ") + buffer.name;
      slots = std::max(slots, buffer.slots);
      bytes += buffer.bytes();
    }
  if (names.empty())
    return "";
  return names + ": " + std::to_string(slots) + " slots, " + std::to_string(bytes >> 10) + " KB";
}

/// Cycles that memory needs for every tensor, moved once.
double memoryCycles(const Loaded &loaded) {
  double bytes = 0;
  for (size_t i = 0; i < loaded.launch.tensors.size(); ++i) {
    double elements = 1;
    for (const int64_t extent : loaded.launch.tensors[i].extents)
      elements *= double(extent);
    bytes += elements * double(byteSize(loaded.program.tensors[i].type));
  }
  return bytes / (loaded.arch->hbmBytesPerCycle * loaded.arch->cores); // of L2 it may be less
}

/// What takes the larger part of the time: memory, or an engine that does one thing after the
/// other.
std::pair<std::string, double> limitOf(const Timeline &timeline, double memory) {
  std::pair<std::string, double> most{"memory", memory};
  for (const char *engine : {"SIMT", "tensor core", "shared memory", "M", "V"})
    if (const auto used = timeline.utilisation.find(engine);
        used != timeline.utilisation.end() && used->second > most.second)
      most = {engine, used->second};
  return most.second < 0.5 ? std::pair<std::string, double>{"latency", most.second} : most;
}

/// Its time, or why it has none.
Result<PlanCandidate> timed(const Options &options) {
  auto loaded = loadOne(options);
  if (!loaded)
    return loaded.error();
  SimulateOptions how;
  how.values = false;
  how.timeline = true;
  auto result = simulateTime(loaded->program, *loaded->arch, loaded->launch, how);
  if (!result)
    return result.error();
  if (const auto &v = result->violation)
    return Error{Error::input, v->rule + ": " + v->message, v->location};
  const double cycles = result->cycles + loaded->arch->launchCycles;
  const auto [limit, share] =
      limitOf(result->timeline, std::min(1.0, memoryCycles(*loaded) / cycles));
  return PlanCandidate{settingsOf(options), "",    cycles,
                       share * cycles,      limit, ringsOf(loaded->program)};
}

/// Whether it fits. A reason that the one before has too is told once.
bool tryOne(const Options &options, Plan &plan) {
  auto candidate = timed(options);
  if (candidate) {
    plan.candidates.push_back(std::move(*candidate));
    return true;
  }
  const std::string &why = candidate.error().message;
  if (plan.rejected.empty() || plan.rejected.back().reason != why)
    plan.rejected.push_back({settingsOf(options), why});
  return false;
}

} // namespace

Result<Plan> bufferingPlan(const Options &options, const Loaded &asked) {
  auto kernels = parseKernels(options.kernel);
  if (!kernels)
    return kernels.error();
  Plan plan;
  Options tried = options;
  OpenBuffering open = openBuffering(kernels->front());
  open.staging &= !isAscend(asked.arch->target);
  if (!open.stages && !open.staging)
    return unsupportedError("unsupported: nothing is left to choose in " + asked.program.name +
                            ": no loop asks for sluice.stages, every store says its staging");
  for (const auto staging : triedOf(open.staging, stagingTried)) {
    bool fitted = false;
    for (const auto stages : triedOf(open.stages, stagesTried)) {
      tried.stages = stages, tried.staging = staging;
      const bool fits = tryOne(tried, plan);
      if (fitted && !fits) // more stages take more room
        break;
      fitted |= fits;
    }
  }
  std::ranges::stable_sort(plan.candidates, {}, &PlanCandidate::cycles);
  return plan;
}

} // namespace sluice::tool
