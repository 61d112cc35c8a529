// Types of elements, in memory and in arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// ue8m0: a power of two, 2^(bits - 127), which scales blocks of a product (PTX ISA 5.2.3). e2m1x2:
/// two numbers of 4 bits in a byte, the first one in the lower half (Support/E2m1.h); as one number
/// it is that byte, 0 to 255. Products alone compute with either.
enum class DType : uint8_t { i1, s8, i32, index, ue8m0, e2m1x2, e4m3, e5m2, f16, bf16, tf32, f32 };

/// Storage size of one element in bytes.
int64_t byteSize(DType type);
std::string_view name(DType type);
/// "e2m1" is e2m1x2: there is no other way to have such numbers.
std::optional<DType> parseDType(std::string_view text);
bool isFloat(DType type);

} // namespace sluice
