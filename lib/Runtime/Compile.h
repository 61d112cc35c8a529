// Printed CUDA C++ to machine code by NVRTC, which is loaded at run time; needs no GPU.
#pragma once

#include "Machine/Result.h"

#include <string>

namespace sluice {

/// The cubin for sm_90a. An error carries the compiler's log. The device headers are those that
/// this program carries.
Result<std::string> compileCuda(const std::string &text, const std::string &kernel);

} // namespace sluice
