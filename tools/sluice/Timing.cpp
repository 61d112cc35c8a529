#include "Timing.h"

#include "Peer.h"
#include "Proof.h"

#include "Program/Joined.h"
#include "Runtime/Driver.h"
#include "Simulate/Simulate.h"

namespace sluice::tool {

double milliseconds(double cycles, const Arch &arch) {
  return cycles / (arch.clockGhz * 1e6);
}

static Result<double> predictedCycles(const Loaded &loaded) {
  SimulateOptions how;
  how.values = false;
  auto result = simulateTime(loaded.program, *loaded.arch, loaded.launch, how);
  if (!result)
    return result.error();
  if (const auto &v = result->violation)
    return Error{Error::input, v->rule + ": " + v->message, v->location};
  return result->cycles + loaded.arch->launchCycles;
}

std::optional<Error> seedWithoutEffect(const Options &options, const Loaded &loaded) {
  const bool steers = loaded.entry && !loaded.entry->steering.empty();
  if (options.random.empty() || steers)
    return std::nullopt;
  return inputError("--random: the machine model takes its time without the numbers of tensors; "
                    "leave it out, or run with --device cuda");
}

Result<double> predictedCycles(const Parts &parts) {
  double sum = 0;
  for (const Part &part : parts.parts) {
    auto cycles = predictedCycles(part.loaded);
    if (!cycles)
      return cycles;
    sum += *cycles;
  }
  return sum;
}

Result<bool> checkBench(const Parts &parts) {
  if (auto peer = peerOf(parts.whole); !peer)
    return peer.error();
  for (const Part &part : parts.parts)
    if (auto source = emitCuda(part.loaded.program); !source)
      return source.error();
  if (auto device = cudaDevice(); !device) // before the time of random tensors is spent
    return device.error();
  for (const Part &part : parts.parts)
    if (auto reason = unproven(part.loaded))
      return *reason;
  return true;
}

Result<BenchResult> measured(const Parts &parts, const std::vector<HostTensor> &tensors,
                             double sustainedSeconds) {
  if (auto possible = checkBench(parts); !possible)
    return possible.error();
  std::vector<BenchLaunch> launches;
  for (const Part &part : parts.parts)
    launches.push_back({*emitCuda(part.loaded.program),
                        passed(part.loaded.program, part.loaded.launch), part.offsets});
  BenchOptions how;
  how.l2Bytes = parts.whole.arch->l2Bytes;
  how.sustainMs = sustainedSeconds * 1000;
  return benchProducts(launches, tensors, *peerOf(parts.whole), how);
}

} // namespace sluice::tool
