// CUDA's compiler driver as a program, for machines without its library.
#pragma once

#include "Program/Types.h"
#include "Support/Result.h"

#include <optional>
#include <string>

namespace sluice {

/// $NVCC, else nvcc of PATH, else /usr/local/cuda/bin/nvcc.
std::optional<std::string> findNvcc();

/// The cubin for sm_90a or sm_100a. An error carries the compiler's log.
Result<std::string> compileByNvcc(const std::string &nvcc, const std::string &text,
                                  const std::string &kernel, Target target);

} // namespace sluice
