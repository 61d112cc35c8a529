// Rounding of real numbers to the element types.
#pragma once

#include "Support/ElementType.h"

namespace sluice {

/// The nearest value of `type` (ties to even). Integers saturate, and so do e4m3 at 448, e5m2 at
/// 57344, e2m1 at 6, e2m3 at 7.5 and e3m2 at 28, infinities too, and NaN where there is none (PTX
/// ISA, cvt.rn.satfinite); the other floating types overflow to infinity.
double roundTo(DType type, double value);
/// The same for single precision, without a detour over double.
float roundTo(DType type, float value);
/// The conversion of C from a real number to an integer type: toward zero; saturates, NaN is 0.
int64_t truncateTo(DType type, double value);

} // namespace sluice
