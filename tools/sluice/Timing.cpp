#include "Timing.h"

#include "Peer.h"
#include "Proof.h"

#include "Runtime/Driver.h"
#include "Simulate/Simulate.h"

namespace sluice::tool {

double milliseconds(double cycles, const Arch &arch) {
  return cycles / (arch.clockGhz * 1e6);
}

Result<double> predictedCycles(const Loaded &loaded) {
  SimulateOptions how;
  how.values = false;
  auto result = simulateTime(loaded.program, *loaded.arch, loaded.launch, how);
  if (!result)
    return result.error();
  if (const auto &v = result->violation)
    return Error{Error::input, v->rule + ": " + v->message, v->location};
  return result->cycles + loaded.arch->launchCycles;
}

Result<bool> checkBench(const Loaded &loaded) {
  if (auto peer = peerOf(loaded); !peer)
    return peer.error();
  if (auto source = emitCuda(loaded.program); !source)
    return source.error();
  if (auto device = cudaDevice(); !device) // before the time of random tensors is spent
    return device.error();
  if (auto reason = unproven(loaded))
    return *reason;
  return true;
}

Result<BenchResult> measured(const Loaded &loaded, const std::vector<HostTensor> &tensors) {
  if (auto possible = checkBench(loaded); !possible)
    return possible.error();
  auto source = emitCuda(loaded.program);
  if (!source)
    return source.error();
  BenchOptions how;
  how.l2Bytes = loaded.arch->l2Bytes;
  return benchProducts(*source, loaded.launch.arguments, tensors, *peerOf(loaded), how);
}

} // namespace sluice::tool
