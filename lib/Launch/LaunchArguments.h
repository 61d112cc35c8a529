// What a launch passes, by reference: pointers to tensors on the device with extents and strides
// of the moment, and integers.
#pragma once

#include "Program/Program.h"
#include "Support/HostTensor.h"
#include "Support/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sluice {

struct LaunchPlan;

struct TensorArgument {
  uint64_t address = 0;                                 // on the device
  const int64_t *extents = nullptr, *strides = nullptr; // elements
  int rank = 0;
  DType type = DType::f32;
  bool isEmpty() const; // an extent is 0: neither address nor strides mean anything
};

/// A dense tensor of any rank as one line of numbers, whose extent is `elements` then; another
/// stays as it is.
void takeAsLine(TensorArgument &tensor, int64_t &elements);

struct LaunchArguments {
  std::span<const TensorArgument> tensors; // one per LaunchPlan::tensors
  std::span<const int64_t> integers;       // one per LaunchPlan::arguments
  /// An extent (ScalarOp::dim) or an argument.
  int64_t number(const Scalar &s) const {
    return s.op == ScalarOp::dim ? tensors[s.object].extents[s.imm] : integers[s.object];
  }
};

/// What is passed of such tensors: a dense one of any rank as one line where the plan says so.
Launch passedOf(const LaunchPlan &plan, const std::vector<int64_t> &arguments,
                const std::vector<HostTensor> &tensors);
/// Tensors of a Launch, which stays their owner.
std::vector<TensorArgument> tensorArguments(const LaunchPlan &plan, const Launch &launch,
                                            std::span<const uint64_t> addresses = {});

/// Where the arguments break what the kernel assumes: number, type, rank, extents, strides, and
/// what its author has stated.
/// Allocates only for an error.
std::optional<Error> checkShapes(const LaunchPlan &plan, const LaunchArguments &arguments);
/// The same, alignment of the addresses, and that what is written shares no memory with others
/// (CommonMemory.h).
std::optional<Error> checkArguments(const LaunchPlan &plan, const LaunchArguments &arguments);

} // namespace sluice
