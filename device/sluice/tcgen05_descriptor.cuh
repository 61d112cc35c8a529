// What tcgen05.mma is told in numbers: plain functions, which the host checks too.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// Of the types of an instruction: kind::f16 (f16, bf16), tf32, f8f6f4 (e4m3, e5m2, e2m3, e3m2,
/// e2m1), i8 (s8); with factors mxf8f6f4, mxf4 and mxf4nvf4 (e2m1, by ue8m0 and by ue4m3).
enum class Tcgen05Kind : int { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };

/// Codes of types in an instruction descriptor, PTX ISA Table 42: of operands those of their kind.
struct Tcgen05Format {
  static constexpr u32 f16 = 0, bf16 = 1, tf32 = 2, e4m3 = 0, e5m2 = 1, e2m3 = 3, e3m2 = 4,
                       e2m1 = 5, s8 = 1;
  static constexpr u32 sumsOfF32 = 1, sumsOfS32 = 2;
};

/// PTX ISA "tcgen05: Instruction Descriptor", Table 42, dense: type of D at bit 4, of A at 7 and of
/// B at 10, transposed A at 15 and B at 16 (1: M or N is contiguous), N / 8 at 17, M / 16 at 24.
__device__ constexpr u32 tcgen05Instruction(u32 d, u32 a, u32 b, bool transposeA, bool transposeB,
                                            int m, int n) {
  return d << 4 | a << 7 | b << 10 | u32(transposeA) << 15 | u32(transposeB) << 16 |
         u32(n / 8) << 17 | u32(m / 16) << 24;
}

/// PTX ISA "tcgen05: Instruction Descriptor", the table of kind::mxf8f6f4, dense: number of the
/// factors of B in their words at bit 4, of those of A at 29; types at 7 and 10, transposed A at 15
/// and B at 16, N / 8 at 17, the type of factors at 23 (1: ue8m0), M / 128 at 27.
__device__ constexpr u32 tcgen05ScaledInstruction(u32 a, u32 b, bool transposeA, bool transposeB,
                                                  int m, int n, int block) {
  return u32(block) << 4 | a << 7 | b << 10 | u32(transposeA) << 15 | u32(transposeB) << 16 |
         u32(n / 8) << 17 | 1u << 23 | u32(m / 128) << 27 | u32(block) << 29;
}

/// PTX ISA "tcgen05: Instruction Descriptor", the table of kind::mxf4 and mxf4nvf4, dense, K = 64:
/// as above, with the code 1 of e2m1 at bits 7 and 10, nothing transposed, and at 23 the type of
/// factors (1: ue8m0, 0: ue4m3); `block` is the first of the instruction's two, or of its four 0.
__device__ constexpr u32 tcgen05Mxf4Instruction(bool powers, int m, int n, int block) {
  return u32(block) << 4 | 1u << 7 | 1u << 10 | u32(n / 8) << 17 | u32(powers) << 23 |
         u32(m / 128) << 27 | u32(block) << 29;
}

/// What tcgen05.cp takes, and to which lanes: 128 rows of 32 or 16 bytes, each to its lane; 64 of
/// 16 bytes, those of warps 0 and 2 and of 1 and 3 alike, or of 0 and 1 and of 2 and 3; 32 to all
/// four; 4 of 32 bytes, one to a lane of each warp.
enum class Tcgen05Rows : int { wide, narrow, twice, neighbours, four, each };

/// Bits 32 to 63 of the descriptor of rows of 16 bytes, PTX ISA Table 40: 8 of them lie side by
/// side, so that the next 8 are 128 bytes on; no swizzle.
__device__ constexpr u32 tcgen05UpperOfRows() {
  return 128 / 16 | 1u << 14;
}

/// Bits 32 to 63 of a shared memory descriptor, PTX ISA Table 40: stride in 16 bytes at bit 32, the
/// constant 1 at 46, the swizzle at 61 (2: 128 bytes, 4: 64, 6: 32); base offset 0, since patterns
/// start at multiples of their size.
__device__ constexpr u32 tcgen05Upper(u32 stride, int span) {
  return stride | 1u << 14 | (span == 128 ? 2u : span == 64 ? 4u : 6u) << 29;
}

} // namespace sluice
