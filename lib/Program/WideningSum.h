// Element functions that Ascend's vector cores compute in one instruction although they are two
// operations.
#pragma once

#include "Program/ElementFn.h"

namespace sluice {

/// x + y of f32, y given as f16: `Axpy` with the factor 1, if x lies where the sum goes.
bool isWideningSum(const ElementFn &fn);

} // namespace sluice
