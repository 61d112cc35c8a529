// How a printed kernel is launched: its parameters in order, tensor maps, block, shared memory.
#pragma once

#include "Machine/Program.h"
#include "Machine/Result.h"

#include <array>
#include <string>
#include <vector>

namespace sluice {

/// A tensor map that the launcher encodes (cuTensorMapEncodeTiled).
struct TensorMapPlan {
  int tensor;
  std::vector<int> dims;    // dimensions of the tensor, contiguous one first
  std::vector<int64_t> box; // elements, one per entry of `dims`
  int64_t swizzle;          // bytes: 0, 32, 64, 128
};

struct KernelParameter {
  enum Kind : uint8_t { tensorMap, pointer, extent, stride, argument } kind;
  int object;  // index into LaunchPlan::maps, Program::tensors or Program::arguments
  int dim = 0; // extent, stride (elements)
  std::string name;
};

struct LaunchPlan {
  std::string kernel; // symbol
  std::vector<TensorMapPlan> maps;
  std::vector<KernelParameter> parameters; // map: 128 bytes; pointer, stride: 8; else int32
  int threads = 0;                         // of a CTA
  int64_t sharedBytes = 0;                 // dynamic
  std::array<int64_t, 3> cluster{1, 1, 1};
};

/// x, y, z of the launch. An error where a side is too large, or no multiple of the cluster.
Result<std::array<int64_t, 3>> launchGrid(const Program &program, const Launch &launch);

/// The plan as JSON, for launchers outside this library.
std::string manifest(const LaunchPlan &plan, const Program &program);

} // namespace sluice
