#include "Support/PackedFloats.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

struct Fields {
  int exponent, fraction; // bits
};

Fields fieldsOf(DType type) {
  return type == DType::e2m1 ? Fields{2, 1} : type == DType::e2m3 ? Fields{2, 3} : Fields{3, 2};
}

int biasOf(Fields fields) {
  return (1 << (fields.exponent - 1)) - 1;
}

} // namespace

double packedFloat(DType type, uint8_t code) {
  const Fields fields = fieldsOf(type);
  const int fraction = code & ((1 << fields.fraction) - 1);
  const int exponent = code >> fields.fraction & ((1 << fields.exponent) - 1);
  const int whole = exponent ? fraction + (1 << fields.fraction) : fraction;
  const double size = std::ldexp(whole, std::max(exponent, 1) - biasOf(fields) - fields.fraction);
  return code >> (fields.exponent + fields.fraction) & 1 ? -size : size;
}

uint8_t codeOfPackedFloat(DType type, double number) {
  const Fields fields = fieldsOf(type);
  const double size = std::fabs(number);
  const int exponent = size == 0 ? 0 : std::max(std::ilogb(size) + biasOf(fields), 0);
  const int unit = std::max(exponent, 1) - biasOf(fields) - fields.fraction; // of the fraction
  const int whole = static_cast<int>(std::ldexp(size, -unit));
  const int code =
      (exponent << fields.fraction) + (exponent ? whole - (1 << fields.fraction) : whole);
  const int sign = std::signbit(number) ? 1 << (fields.exponent + fields.fraction) : 0;
  return static_cast<uint8_t>(code | sign);
}

std::vector<std::byte> packedBytes(DType type, std::span<const std::byte> codes) {
  const auto bits = static_cast<size_t>(bitsInTensors(type));
  std::vector<std::byte> bytes(size_t(bytesInTensors(type, int64_t(codes.size()))));
  for (size_t i = 0; i < codes.size(); ++i) {
    const unsigned shifted = unsigned(codes[i]) << i * bits % 8;
    bytes[i * bits / 8] |= std::byte(shifted & 0xff);
    if (shifted > 0xff)
      bytes[i * bits / 8 + 1] |= std::byte(shifted >> 8);
  }
  return bytes;
}

uint8_t codeInPacked(DType type, const std::byte *from, int64_t at) {
  const int64_t bits = bitsInTensors(type), first = at * bits;
  unsigned both = unsigned(from[first / 8]);
  if (first % 8 + bits > 8)
    both |= unsigned(from[first / 8 + 1]) << 8;
  return static_cast<uint8_t>(both >> first % 8 & ((1u << bits) - 1));
}

} // namespace sluice
