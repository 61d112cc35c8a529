// Rounding of real numbers to the element types.
#pragma once

#include "Machine/Types.h"

namespace sluice {

/// The nearest value of `type` (ties to even). Integers saturate, e4m3 saturates at 448; the other
/// floating types overflow to infinity.
double roundTo(DType type, double value);
/// The same for single precision, without a detour over double.
float roundTo(DType type, float value);
/// The conversion of C from a real number to an integer type: toward zero; saturates, NaN is 0.
int64_t truncateTo(DType type, double value);

} // namespace sluice
