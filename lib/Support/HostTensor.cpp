#include "Support/HostTensor.h"

#include "Support/PackedFloats.h"
#include "Support/Rounding.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace sluice {
namespace {

template <typename T> T read(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <typename T> void write(std::byte *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

/// Bits of an 8-bit float with `mantissa` mantissa bits and exponent bias `bias`; `value` is exact.
uint8_t encode8(double value, int mantissa, int bias, uint8_t nan, uint8_t infinity) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value))
    return nan;
  if (std::isinf(value))
    return sign | infinity;
  int exponent = 0;
  std::frexp(value, &exponent);
  int biased = value == 0 ? 0 : exponent - 1 + bias;
  if (biased <= 0) // zero or subnormal
    return sign | static_cast<uint8_t>(std::ldexp(std::fabs(value), bias - 1 + mantissa));
  double fraction = std::ldexp(std::fabs(value), bias - biased) - 1;
  return sign | static_cast<uint8_t>((biased << mantissa) | int(std::ldexp(fraction, mantissa)));
}

double decode8(uint8_t bits, int mantissa, int bias, bool hasInfinity) {
  int exponent = (bits & 0x7f) >> mantissa, top = (0x7f >> mantissa);
  int fraction = bits & ((1 << mantissa) - 1);
  double sign = bits & 0x80 ? -1 : 1;
  if (hasInfinity && exponent == top)
    return fraction ? NAN : sign * INFINITY;
  if (!hasInfinity && (bits & 0x7f) == 0x7f)
    return NAN;
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - mantissa);
  return sign * std::ldexp((1 << mantissa) + fraction, exponent - bias - mantissa);
}

/// Half precision without branches, so that loops over it become vector code.
inline float halfToFloat(uint16_t h) {
  uint32_t magnitude = uint32_t(h & 0x7fff) << 13;
  float scaled = std::bit_cast<float>(magnitude) * std::bit_cast<float>(0x77800000u); // 2^112
  uint32_t special = std::bit_cast<uint32_t>(scaled) | (magnitude >= 0x0f800000u ? 0x7f800000u : 0);
  return std::bit_cast<float>(special | (uint32_t(h & 0x8000) << 16));
}

inline uint16_t floatToHalf(float f) {
  uint32_t bits = std::bit_cast<uint32_t>(f), sign = (bits >> 16) & 0x8000,
           rest = bits & 0x7fffffff;
  // Subnormals: adding 0.5 puts the rounded significand into the low bits (units of 2^-24).
  uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u;
  uint32_t normal = (rest - 0x38000000u + 0xfff + ((rest >> 13) & 1)) >> 13;
  uint32_t finite = rest < 0x38800000u ? small : normal;
  uint32_t high = rest > 0x7f800000u ? 0x7e00u : 0x7c00u;
  return static_cast<uint16_t>(sign | (rest >= 0x477ff000u ? high : finite));
}

inline uint16_t floatToBfloat(float f) {
  uint32_t bits = std::bit_cast<uint32_t>(f);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000u ? (bits >> 16) | 0x40 : rounded);
}

uint16_t doubleToHalf(double v) {
  return floatToHalf(float(roundTo(DType::f16, v)));
}
uint16_t doubleToBfloat(double v) {
  return floatToBfloat(float(roundTo(DType::bf16, v)));
}

} // namespace

double loadElement(DType type, const std::byte *from) {
  switch (type) {
  case DType::i1:
    return read<uint8_t>(from) != 0;
  case DType::s8:
    return read<int8_t>(from);
  case DType::i32:
    return read<int32_t>(from);
  case DType::index:
    return static_cast<double>(read<int64_t>(from));
  case DType::e2m1x2:
    return read<uint8_t>(from);
  case DType::e2m1:
  case DType::e2m3:
  case DType::e3m2:
    return packedFloat(type, read<uint8_t>(from));
  case DType::ue8m0: {
    const auto bits = read<uint8_t>(from);
    return bits == 255 ? NAN : std::ldexp(1.0, bits - 127);
  }
  case DType::e4m3:
    return decode8(read<uint8_t>(from), 3, 7, false);
  case DType::e5m2:
    return decode8(read<uint8_t>(from), 2, 15, true);
  case DType::f16:
    return halfToFloat(read<uint16_t>(from));
  case DType::bf16:
    return std::bit_cast<float>(uint32_t(read<uint16_t>(from)) << 16);
  case DType::tf32:
  case DType::f32:
    return read<float>(from);
  }
  return 0;
}

void storeElement(DType type, std::byte *to, double value) {
  switch (type) {
  case DType::i1:
    return write<uint8_t>(to, value != 0);
  case DType::s8:
    return write(to, static_cast<int8_t>(roundTo(type, value)));
  case DType::i32:
    return write(to, static_cast<int32_t>(roundTo(type, value)));
  case DType::index:
    return write(to, static_cast<int64_t>(roundTo(type, value)));
  case DType::e2m1x2:
    return write(to, static_cast<uint8_t>(roundTo(type, value)));
  case DType::e2m1:
  case DType::e2m3:
  case DType::e3m2:
    return write(to, codeOfPackedFloat(type, roundTo(type, value)));
  case DType::ue8m0: {
    const double power = roundTo(type, value);
    return write(to, static_cast<uint8_t>(std::isnan(power) ? 255 : std::ilogb(power) + 127));
  }
  case DType::e4m3:
    return write(to, encode8(roundTo(type, value), 3, 7, 0x7f, 0x7e));
  case DType::e5m2:
    return write(to, encode8(roundTo(type, value), 2, 15, 0x7f, 0x7c));
  case DType::f16:
    return write(to, doubleToHalf(value));
  case DType::bf16:
    return write(to, doubleToBfloat(value));
  case DType::tf32:
  case DType::f32:
    return write(to, static_cast<float>(roundTo(type, value)));
  }
}

void loadElements(DType type, const std::byte *from, int64_t count, float *to) {
  if (type == DType::f32 || type == DType::tf32) {
    std::memcpy(to, from, count * sizeof(float));
  } else if (type == DType::f16) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = halfToFloat(read<uint16_t>(from + 2 * i));
  } else if (type == DType::bf16) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = std::bit_cast<float>(uint32_t(read<uint16_t>(from + 2 * i)) << 16);
  } else {
    for (int64_t i = 0, size = byteSize(type); i < count; ++i)
      to[i] = static_cast<float>(loadElement(type, from + i * size));
  }
}

void storeElements(DType type, const float *from, int64_t count, std::byte *to) {
  if (type == DType::f32) {
    std::memcpy(to, from, count * sizeof(float));
  } else if (type == DType::f16) {
    for (int64_t i = 0; i < count; ++i)
      write(to + 2 * i, floatToHalf(from[i]));
  } else if (type == DType::bf16) {
    for (int64_t i = 0; i < count; ++i)
      write(to + 2 * i, floatToBfloat(from[i]));
  } else {
    for (int64_t i = 0, size = byteSize(type); i < count; ++i)
      storeElement(type, to + i * size, from[i]);
  }
}

HostTensor HostTensor::dense(DType type, std::vector<int64_t> extents, int minor) {
  HostTensor t;
  t.type = type;
  t.strides.assign(extents.size(), 1);
  int64_t stride = 1;
  auto place = [&](int d) {
    t.strides[d] = stride;
    stride *= std::max<int64_t>(extents[d], 1);
  };
  if (!extents.empty())
    place(minor);
  for (int d = static_cast<int>(extents.size()) - 1; d >= 0; --d)
    if (d != minor)
      place(d);
  t.extents = std::move(extents);
  t.bytes.resize(t.elements() * byteSize(type));
  return t;
}

int64_t HostTensor::elements() const {
  int64_t n = 1;
  for (int64_t e : extents)
    n *= e;
  return n;
}

static int64_t offsetOf(const HostTensor &t, const std::vector<int64_t> &index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d)
    offset += index[d] * t.strides[d];
  return offset * byteSize(t.type);
}

double HostTensor::at(const std::vector<int64_t> &index) const {
  return loadElement(type, bytes.data() + offsetOf(*this, index));
}

void HostTensor::set(const std::vector<int64_t> &index, double value) {
  storeElement(type, bytes.data() + offsetOf(*this, index), value);
}

std::vector<std::byte> bytesOfDevice(const HostTensor &tensor) {
  return isPacked(tensor.type) ? packedBytes(tensor.type, tensor.bytes) : tensor.bytes;
}

namespace {

/// The next index in row-major order.
void toNext(const HostTensor &tensor, std::vector<int64_t> &index) {
  for (size_t d = index.size(); d-- > 0 && ++index[d] == tensor.extents[d];)
    index[d] = 0;
}

} // namespace

std::vector<int64_t> integersOf(const HostTensor &tensor) {
  std::vector<int64_t> integers, index(tensor.extents.size(), 0);
  for (int64_t n = tensor.elements(); n > 0; --n) {
    integers.push_back(static_cast<int64_t>(tensor.at(index)));
    toNext(tensor, index);
  }
  return integers;
}

void setIntegers(HostTensor &tensor, const std::vector<int64_t> &integers) {
  std::vector<int64_t> index(tensor.extents.size(), 0);
  for (const int64_t value : integers) {
    tensor.set(index, static_cast<double>(value));
    toNext(tensor, index);
  }
}

} // namespace sluice
