// From the command line to programs that can be run: finds the kernel, settles target, machine and
// extents, and compiles.
#pragma once

#include "Options.h"

#include "Arch/Arch.h"
#include "Language/BarrierNames.h"
#include "Program/Program.h"
#include "Support/HostTensor.h"
#include "kernels/Catalog.h"

#include <memory>
#include <optional>

namespace sluice::tool {

struct Loaded {
  Program program;
  const Arch *arch = nullptr;
  Launch launch;                      // dense tensors of the wanted extents
  std::string shape;                  // "M=4096 N=4096": for titles
  const KernelEntry *entry = nullptr; // null: from a file
  std::optional<Parameters> parameters;
  bool byHand = false; // Kernel::byHand
  BarrierNames barrierNames = {};
  /// Tensors that came from --in, by name.
  std::map<std::string, HostTensor> inputs;
};

/// "M=512 N=512 K=512 dtype=f16": numbers, types, and whatever is not the default.
std::string parameterText(const KernelEntry &entry, const Parameters &parameters);

/// What becomes of arguments that --set does not give.
enum class Missing {
  refused,
  chosen // for verbs that prove every launch: 1, or what the kernel's assumptions ask for
};

/// One per kernel of the file; one for a kernel of the catalogue.
Result<std::vector<Loaded>> load(const Options &options, Missing missing = Missing::refused);

/// The only one, for verbs that take a single kernel.
Result<Loaded> loadOne(const Options &options);

} // namespace sluice::tool
