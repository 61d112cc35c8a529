// Extents of a launch, from parameters, files of inputs, and --set.
#pragma once

#include "Load.h"

#include "Program/Program.h"
#include "Support/HostTensor.h"
#include "Support/Result.h"
#include "kernels/Catalog.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::tool {

using Settings = std::map<std::string, std::string>;
using Inputs = std::map<std::string, HostTensor>;

/// A whole integer.
std::optional<int64_t> parseNumber(std::string_view text);

/// `set` and the parameters that the inputs' extents give. Fails where they contradict each other.
Result<Settings> inferParameters(const KernelEntry &entry, const Parameters &parameters,
                                 const Settings &set, const Inputs &inputs);

Result<Launch> entryLaunch(const KernelEntry &entry, const Parameters &parameters,
                           const Program &program);

/// Puts the integers of the steering inputs into a launch: those of files, else random ones. Fails
/// where a file's break what the kernel assumes.
Result<bool> steer(const KernelEntry &entry, const Parameters &parameters, const Program &program,
                   const Inputs &inputs, uint64_t seed, Launch &launch);

/// Every name of --set and --in must belong to a tensor or argument of one of the programs.
Result<bool> checkNames(const Settings &set, const Inputs &inputs,
                        const std::vector<Program> &programs);

/// Extents of a kernel from a file: --in, else --set A=512x256, else what its type fixes, else 512,
/// or what the kernel's assumptions ask for instead.
Result<Launch> fileLaunch(const Program &program, const Settings &set, const Inputs &inputs,
                          Missing missing);

std::string shapeText(const Program &program, const Launch &launch); // "A[512,256] n=3"

} // namespace sluice::tool
