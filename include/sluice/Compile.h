// From a kernel (built in C++ or read from text) to a program that can be run, checked and printed.
#pragma once

#include "Arch/Arch.h"
#include "Program/Program.h"
#include "Support/Result.h"
#include "sluice/Kernel.h"

#include <functional>
#include <optional>

namespace sluice {

/// What a kernel's text says of buffering, said anew. Stages are of the loops that ask for some,
/// staging of the stores that say nothing.
struct Buffering {
  std::optional<int64_t> stages, staging;
};

struct CompileOptions {
  Target target = Target::sm_90a;
  /// Machine that the plan and the capacities are taken from; null: defaultArch(target).
  const Arch *arch = nullptr;
  Buffering buffering = {};
  /// Called after every pass with its name and the text of the kernel.
  std::function<void(const std::string &pass, const std::string &text)> dumpAfterEach;
};

/// What `Buffering` has an effect on: whether a loop asks for stages, and a store leaves its
/// staging open.
struct OpenBuffering {
  bool stages = false, staging = false;
};
OpenBuffering openBuffering(const Kernel &kernel);

/// Lowers a kernel at any level to the allocated barrier level. One Program per kernel.
Result<Program> compile(const Kernel &kernel, const CompileOptions &options);

/// Kernels of a .mlir file, in order. Errors carry the location in the file.
Result<std::vector<Kernel>> parseKernels(const std::string &path);
/// The same from memory; `name` stands in for the path in messages.
Result<std::vector<Kernel>> parseKernelText(const std::string &text, const std::string &name);

} // namespace sluice
