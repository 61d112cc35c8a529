// Tensors of a run: from files or random numbers, and to files.
#pragma once

#include "Load.h"

namespace sluice::tool {

/// One per tensor of the program, in the kernel's layout. Inputs without a file are random (small
/// integers where `exact`), counters and the others zero.
Result<std::vector<HostTensor>> makeTensors(const Loaded &loaded, uint64_t seed,
                                            bool exact = false);

/// Whether a tensor has factors of blocks that are floats without a sign (ue4m3); its random
/// numbers have none.
bool holdsUnsignedFactors(const Program &program, size_t tensor);

/// Names of --out and --expect must be outputs.
Result<bool> checkOutputs(const Program &program, const std::map<std::string, std::string> &names,
                          const std::string &option);

/// What outputs should be: from --expect files, else from the kernel's reference; none for a kernel
/// from a file without --expect.
Result<Matrices> expectedOutputs(const Loaded &loaded, const Options &options,
                                 const std::vector<HostTensor> &inputs);

/// The largest relative error of an output that is right.
double toleranceOf(const Loaded &loaded, DType output);

} // namespace sluice::tool
