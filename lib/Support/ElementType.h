// Types of elements, in memory and in arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// ue8m0: a power of two, 2^(bits - 127), which scales blocks of a product (PTX ISA 5.2.3). e2m1x2:
/// two numbers of 4 bits in a byte, the first one in the lower half (Support/E2m1.h); as one number
/// it is that byte, 0 to 255. e2m1, e2m3, e3m2: floats of 4 and of 6 bits, packed in tensors
/// (Support/PackedFloats.h). Products alone compute with any of these.
enum class DType : uint8_t {
  i1,
  s8,
  i32,
  index,
  ue8m0,
  e2m1x2,
  e2m1,
  e2m3,
  e3m2,
  e4m3,
  e5m2,
  f16,
  bf16,
  tf32,
  f32
};

/// Bytes of one element in files and on the chip, where e2m1, e2m3 and e3m2 take one each.
int64_t byteSize(DType type);
/// Bits of one element in tensors: 8 a byte but for e2m1, e2m3 and e3m2, which lie packed there.
int64_t bitsInTensors(DType type);
/// Of so many elements side by side in a tensor; as many bytes completes a copy of them by TMA.
int64_t bytesInTensors(DType type, int64_t elements);
bool isPacked(DType type);
std::string_view name(DType type);
std::optional<DType> parseDType(std::string_view text);
bool isFloat(DType type);

} // namespace sluice
