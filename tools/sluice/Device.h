// Where a kernel runs: on the virtual machine or on a GPU, and whether it may.
#pragma once

#include "Load.h"

#include "Verify/Verify.h"

namespace sluice::tool {

/// sim or cuda; with neither asked for, cuda where there is a GPU that the program is for.
Result<bool> onCuda(const Loaded &loaded, const Options &options);

/// Why it must not run. On a GPU an unproven program may hang it; on the virtual machine it cannot
/// do harm. `verdict`: what the check says of what must not run.
std::optional<Error> admit(const Loaded &loaded, const Options &options, bool cuda,
                           std::optional<Verdict> &verdict);

} // namespace sluice::tool
