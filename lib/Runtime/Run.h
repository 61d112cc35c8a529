// Runs printed kernels on device 0.
#pragma once

#include "Launch/EmittedSource.h"
#include "Runtime/DeviceKernel.h"
#include "Support/HostTensor.h"

namespace sluice {

struct CudaRunOptions {
  int before = 0;  // launches before the one whose results are returned; tensors are filled anew
  int warmups = 0; // launches before the timed ones, after the one whose results are returned
  int repeats = 0; // timed launches; 0: the first launch is the timed one
};

struct RunResult {
  double ms;          // of one launch, mean of the timed ones
  std::string device; // "NVIDIA H100 80GB HBM3"
};

/// Copies the tensors in (what is not read holds NaN bytes), launches, copies outputs back.
/// `tensors`: one per LaunchPlan::tensors.
Result<RunResult> runOnCuda(const LaunchPlan &plan, const std::string &cubin,
                            const std::vector<int64_t> &arguments, std::vector<HostTensor> &tensors,
                            const CudaRunOptions &options = {});
/// The same from source text, by NVRTC.
Result<RunResult> runOnCuda(const EmittedSource &source, const std::vector<int64_t> &arguments,
                            std::vector<HostTensor> &tensors, const CudaRunOptions &options = {});

} // namespace sluice
