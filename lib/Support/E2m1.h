// Floats of 4 bits: a sign, two bits of exponent with bias 1, one of fraction (OCP Microscaling
// Formats, E2M1): 0, 1/2, 1, 3/2, 2, 3, 4 and 6, with either sign; no infinity and no NaN.
#pragma once

#include <array>
#include <cstdint>

namespace sluice {

/// Of the lower four bits.
float e2m1Number(uint8_t code);
/// The nearest one, of two as near the one with an even code; beyond 6 it is 6, of NaN too.
uint8_t e2m1Code(double value);
/// The two of a byte, the one in the lower half first.
std::array<float, 2> e2m1Pair(uint8_t byte);
uint8_t e2m1Byte(double first, double second);

} // namespace sluice
