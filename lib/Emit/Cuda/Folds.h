// What is known of a fold before it is printed.
#pragma once

#include "Program/ElementFn.h"

namespace sluice::cuda {

/// The elements as they are, or as f32.
bool isWidening(const ElementFn &fn);

} // namespace sluice::cuda
