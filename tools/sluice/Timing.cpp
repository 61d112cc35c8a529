#include "Timing.h"

#include "Proof.h"
#include "Tensors.h"

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
  if (!loaded.entry || loaded.program.name != "gemm")
    return unsupportedError("unsupported: " + loaded.program.name + " " + loaded.shape +
                            ": bench compares gemm with cuBLASLt");
  if (auto source = emitCuda(loaded.program); !source)
    return source.error();
  if (auto device = cudaDevice(); !device) // before the time of random tensors is spent
    return device.error();
  if (auto reason = unproven(loaded))
    return *reason;
  return true;
}

static VendorEpilogue epilogueOf(const std::string &name) {
  return name == "none"        ? VendorEpilogue::none
         : name == "bias"      ? VendorEpilogue::bias
         : name == "bias_relu" ? VendorEpilogue::biasRelu
                               : VendorEpilogue::biasGelu;
}

Result<BenchResult> measured(const Loaded &loaded, uint64_t seed) {
  if (auto possible = checkBench(loaded); !possible)
    return possible.error();
  auto source = emitCuda(loaded.program);
  if (!source)
    return source.error();
  auto tensors = makeTensors(loaded, seed);
  if (!tensors)
    return tensors.error();
  BenchOptions how;
  how.l2Bytes = loaded.arch->l2Bytes;
  how.epilogue = epilogueOf(loaded.parameters->text("epilogue"));
  return benchGemm(*source, loaded.launch.arguments, *tensors, how);
}

} // namespace sluice::tool
