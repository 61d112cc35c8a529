// Tensors of rows whose last parts may be short (Tensor::joinedExtent), or of lines of which the
// last may be (Tensor::isLine): who reads and writes them.
#pragma once

#include "Program/Program.h"
#include "Support/Result.h"

namespace sluice {

/// What of the program touches such a tensor otherwise than line by line into shared memory, or
/// between it and whole rows in registers; nothing: all is as it should be.
std::optional<Error> checkShortParts(const Program &program);

} // namespace sluice
