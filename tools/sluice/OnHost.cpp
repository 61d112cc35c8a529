#include "OnHost.h"

#include "Emit/Checksums.h"
#include "Emit/Emit.h"
#include "Host/HostRun.h"
#include "Simulate/Simulate.h"

namespace sluice::tool {

Result<HostComparison> runBesideHost(const Loaded &loaded, std::vector<HostTensor> &tensors,
                                     bool exact) {
  const Program &program = loaded.program;
  auto source = emitCuda(program);
  if (!source)
    return source.error();
  poisonOutputs(program, tensors);
  std::vector<HostTensor> machine = tensors;
  auto run = simulate(program, *loaded.arch, loaded.launch.arguments, machine, {});
  if (!run)
    return run.error();
  if (const auto &violation = run->violation)
    return Error{Error::input, violation->rule + ": " + violation->message, violation->location};
  if (auto failed = runOnHost(*source, loaded.launch.arguments, tensors))
    return *failed;
  return compareOutputs(program, tensors, machine, exact && roundsAlike(program));
}

} // namespace sluice::tool
