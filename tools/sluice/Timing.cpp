#include "Timing.h"

#include "Proof.h"

#include "Runtime/Driver.h"
#include "Simulate/Simulate.h"
#include "kernels/GemmEpilogue.h"

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

/// The vendor's epilogue that does the same.
static Result<VendorEpilogue> vendorEpilogue(const Loaded &loaded) {
  const GemmEpilogue e = epilogueOf(*loaded.parameters);
  if (e.scaleOfRow || e.scaleOfCol)
    return unsupportedError("unsupported: " + loaded.program.name + " " + loaded.shape +
                            ": cuBLASLt has no factors of rows and columns; bench without scales");
  VendorEpilogue vendor;
  vendor.bias = e.bias, vendor.residual = e.residual;
  vendor.activation = e.activation == Activation::none   ? VendorEpilogue::none
                      : e.activation == Activation::relu ? VendorEpilogue::relu
                                                         : VendorEpilogue::gelu;
  vendor.alpha = e.alpha ? kGemmAlpha : 1;
  vendor.beta = e.beta ? kGemmBeta : 1;
  vendor.promoted = !loaded.parameters->isAuto("promote");
  return vendor;
}

Result<bool> checkBench(const Loaded &loaded) {
  if (!loaded.entry || loaded.program.name != "gemm")
    return unsupportedError("unsupported: " + loaded.program.name + " " + loaded.shape +
                            ": bench compares gemm with cuBLASLt");
  if (auto epilogue = vendorEpilogue(loaded); !epilogue)
    return epilogue.error();
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
  how.epilogue = *vendorEpilogue(loaded);
  return benchGemm(*source, loaded.launch.arguments, tensors, how);
}

} // namespace sluice::tool
