// What tcgen05.mma is told in numbers: plain functions, which the host checks too.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// PTX ISA "tcgen05: Instruction Descriptor", Table 42, kind::f16 with sums of f32, dense: type of
/// D at bit 4 (1: f32), of A at 7 and of B at 10 (0: f16, 1: bf16), transposed A at 15 and B at 16
/// (1: M or N is contiguous), N / 8 at 17, M / 16 at 24.
__device__ constexpr u32 tcgen05Instruction(bool bf16, bool transposeA, bool transposeB, int m,
                                            int n) {
  return 1u << 4 | u32(bf16) << 7 | u32(bf16) << 10 | u32(transposeA) << 15 |
         u32(transposeB) << 16 | u32(n / 8) << 17 | u32(m / 16) << 24;
}

/// Bits 32 to 63 of a shared memory descriptor, PTX ISA Table 40: stride in 16 bytes at bit 32, the
/// constant 1 at 46, the swizzle at 61 (2: 128 bytes, 4: 64, 6: 32); base offset 0, since patterns
/// start at multiples of their size.
__device__ constexpr u32 tcgen05Upper(u32 stride, int span) {
  return stride | 1u << 14 | (span == 128 ? 2u : span == 64 ? 4u : 6u) << 29;
}

} // namespace sluice
