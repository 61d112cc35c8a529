// Operands of products in shared memory, as their descriptors say.
#pragma once

#include "Host/HostMachine.h"
#include "Support/HostTensor.h"

#include <bit>
#include <cstring>

namespace sluice::host {

using values::Element;

constexpr int bytesOfK = 32; // of an instruction

inline DType typeOf(Element e) {
  constexpr DType types[] = {DType::f32,    DType::f16,  DType::bf16, DType::tf32,
                             DType::e4m3,   DType::e5m2, DType::s8,   DType::i32,
                             DType::e2m1x2, DType::e2m1, DType::e2m3, DType::e3m2};
  return types[int(e)];
}

/// An operand: lines of M or N, in each the elements of K.
struct Operand {
  Element element;
  bool transposed;
  uint32_t start, leading, stride, span; // bytes

  Operand(Element e, bool t, uint64_t descriptor, uint32_t swizzle)
      : element(e), transposed(t), start(uint32_t(descriptor & 0x3fff) << 4),
        leading(uint32_t(descriptor >> 16 & 0x3fff) << 4),
        stride(uint32_t(descriptor >> 32 & 0x3fff) << 4), span(swizzle) {}

  /// Where element k of line mn is.
  uint32_t address(int mn, int k, uint32_t size) const {
    const uint32_t along =
        uint32_t(transposed ? mn : k) * size; // bytes of the contiguous dimension
    const uint32_t line = uint32_t(transposed ? k : mn);
    const uint32_t linear =
        start + along % span + along / span * leading + line % 8 * span + line / 8 * stride;
    return linear ^ (linear >> 7 & (span / 16 - 1)) << 4;
  }
};

inline float numberOf(Element element, const std::byte *from) {
  float x;
  loadElements(typeOf(element), from, 1, &x);
  if (element == Element::tf32) // reads the upper 19 bits
    x = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffffe000u);
  return x;
}

} // namespace sluice::host
