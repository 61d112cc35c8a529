// Floats of 4 and 6 bits (OCP Microscaling Formats: E2M1, E2M3, E3M2), with a sign, without
// infinity and NaN. In files and on the virtual machine each has a byte, its code in the lower
// bits. In tensors of a GPU they lie packed, the first one in the lowest bits. In shared memory
// sixteen of them have 16 bytes: those that they have in the tensor, and behind them padding, which
// is not written (PTX ISA, "Padding and alignment of the sub-byte types": .b4x16_p64, .b6x16_p32).
#pragma once

#include "Support/ElementType.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sluice {

constexpr int64_t packedGroup = 16; // numbers that have as many bytes of shared memory

double packedFloat(DType type, uint8_t code);
/// Of a number of the type.
uint8_t codeOfPackedFloat(DType type, double number);

/// Codes, a byte each, as they lie in a tensor.
std::vector<std::byte> packedBytes(DType type, std::span<const std::byte> codes);
/// The code of the number `at` of those that begin here.
uint8_t codeInPacked(DType type, const std::byte *from, int64_t at);

} // namespace sluice
