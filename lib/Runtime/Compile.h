// Printed CUDA C++ to machine code: by NVRTC, which is loaded at run time, or by nvcc where there
// is none. Needs no GPU.
#pragma once

#include "Program/Types.h"
#include "Runtime/CubinCache.h"
#include "Support/Result.h"

#include <string>

namespace sluice {

/// The cubin for sm_90a or sm_100a, from the cache where it has it. An error carries the compiler's
/// log. The device headers are those that this program carries.
Result<std::string> compileCuda(const std::string &text, const std::string &kernel,
                                Target target = Target::sm_90a,
                                const CubinCache &cache = CubinCache::standard());

/// What a cubin of this text is called in a cache. The compiler's version is no part of it: finding
/// that out takes longer than reading the cubin.
std::string cubinKey(const std::string &text, const std::string &kernel,
                     Target target = Target::sm_90a);

} // namespace sluice
