// What a scalar operation gives at one launch, as docs/language.md says it.
#pragma once

#include "Explore/Course.h"

namespace sluice::explorer {

/// Arithmetic is that of 64 bits and wraps around. Division by zero gives 0, and so does the load
/// of an element that does not exist; what is loaded from a tensor whose elements are not known
/// is 1.
int64_t numberOf(const Scalar &scalar, const Standpoint &at);

} // namespace sluice::explorer
