// Where a kernel runs: on the virtual machine or on a GPU, and whether it may.
#pragma once

#include "Standing.h"

namespace sluice::tool {

/// sim or cuda; with neither asked for, cuda where there is a GPU that the program is for. `known`:
/// the devices of the verb.
Result<bool> onCuda(const Loaded &loaded, const Options &options,
                    const std::vector<std::string> &known = {"sim", "cuda"});

/// Why it must not run on a GPU, which a launch that is not proven may hang; `verdict`: what the
/// check says of this launch then. On the virtual machine it cannot do harm.
std::optional<Error> admit(const Loaded &loaded, const Options &options, const Standing &standing,
                           std::optional<Verdict> &verdict);

} // namespace sluice::tool
