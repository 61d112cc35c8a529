// Products of sm_100a: d[M,N] += a[M,K] b[K,N] by one thread, d in tensor memory, a there or in
// shared memory, b in shared memory; of one CTA, or of a pair, each of which has M / 2 rows of d
// and a and N / 2 columns of b, at the same addresses. What stands beside device.cuh in kernels for
// that target.
#pragma once

#include <sluice/tcgen05_descriptor.cuh>
#include <sluice/tmem.cuh>
#ifdef SLUICE_HOST
#include <sluice/host_tcgen05.cuh>
#else
#include <sluice/wgmma.cuh>

namespace sluice {

/// PTX ISA "tcgen05: Shared Memory Descriptor", Table 40. Tiles lie as wgmma reads them, and the
/// offsets mean the same; bits 46 to 48 are 1, the codes of swizzles others.
template <class Tile, bool major>
__device__ __forceinline__ u64 tcgen05Descriptor(SharedOperand<Tile, major> operand) {
  using Operand = SharedOperand<Tile, major>;
  return operand.start | u64(tcgen05Upper(Operand::stride, Operand::span)) << 32;
}

#ifdef SLUICE_VALUES
} // namespace sluice
#include <sluice/values_tcgen05.cuh>
namespace sluice {
#else

/// PTX ISA "tcgen05.mma": a by descriptor, or (u32) in tensor memory; b by descriptor.
template <Tcgen05Kind kind, int ctas, class A>
__device__ __forceinline__ void tcgen05Product(u32 d, A a, u64 b, u32 instruction,
                                               bool accumulate) {
#define SLUICE_TCGEN05_MMA(group, name, ofA, form)                                                 \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %4, 0;\n"                                                           \
               "tcgen05.mma.cta_group::" group ".kind::" name " [%0], " ofA ", %2, %3, p;\n"       \
               "}" ::"r"(d),                                                                       \
               form(a), "l"(b), "r"(instruction), "r"(int(accumulate))                             \
               : "memory")
#define SLUICE_TCGEN05_KIND(name)                                                                  \
  if constexpr (sizeof(A) == 4 && ctas == 1)                                                       \
    SLUICE_TCGEN05_MMA("1", name, "[%1]", "r");                                                    \
  else if constexpr (sizeof(A) == 4)                                                               \
    SLUICE_TCGEN05_MMA("2", name, "[%1]", "r");                                                    \
  else if constexpr (ctas == 1)                                                                    \
    SLUICE_TCGEN05_MMA("1", name, "%1", "l");                                                      \
  else                                                                                             \
    SLUICE_TCGEN05_MMA("2", name, "%1", "l")
  if constexpr (kind == Tcgen05Kind::f16) {
    SLUICE_TCGEN05_KIND("f16");
  } else if constexpr (kind == Tcgen05Kind::tf32) {
    SLUICE_TCGEN05_KIND("tf32");
  } else if constexpr (kind == Tcgen05Kind::f8f6f4) {
    SLUICE_TCGEN05_KIND("f8f6f4");
  } else {
    SLUICE_TCGEN05_KIND("i8");
  }
#undef SLUICE_TCGEN05_KIND
#undef SLUICE_TCGEN05_MMA
}

/// PTX ISA "tcgen05.mma", .block_scale: a by descriptor, or (u32) in tensor memory, b by
/// descriptor, their factors in tensor memory; of a pair in each CTA those of its rows of a and of
/// all columns of b.
template <Tcgen05Kind kind, int ctas, class A>
__device__ __forceinline__ void tcgen05ScaledProduct(u32 d, A a, u64 b, u32 instruction,
                                                     u32 scalesA, u32 scalesB, bool accumulate) {
#define SLUICE_TCGEN05_SCALED(group, name, ofA, form)                                              \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %6, 0;\n"                                                           \
               "tcgen05.mma.cta_group::" group ".kind::" name " [%0], " ofA                        \
               ", %2, %3, [%4], [%5], p;\n"                                                        \
               "}" ::"r"(d),                                                                       \
               form(a), "l"(b), "r"(instruction), "r"(scalesA), "r"(scalesB), "r"(int(accumulate)) \
               : "memory")
#define SLUICE_TCGEN05_KIND(name)                                                                  \
  if constexpr (sizeof(A) == 4 && ctas == 1)                                                       \
    SLUICE_TCGEN05_SCALED("1", name, "[%1]", "r");                                                 \
  else if constexpr (sizeof(A) == 4)                                                               \
    SLUICE_TCGEN05_SCALED("2", name, "[%1]", "r");                                                 \
  else if constexpr (ctas == 1)                                                                    \
    SLUICE_TCGEN05_SCALED("1", name, "%1", "l");                                                   \
  else                                                                                             \
    SLUICE_TCGEN05_SCALED("2", name, "%1", "l")
  if constexpr (kind == Tcgen05Kind::mxf8f6f4) {
    SLUICE_TCGEN05_KIND("mxf8f6f4.block_scale.scale_vec::1X");
  } else if constexpr (kind == Tcgen05Kind::mxf4) {
    SLUICE_TCGEN05_KIND("mxf4.block_scale.scale_vec::2X");
  } else {
    SLUICE_TCGEN05_KIND("mxf4nvf4.block_scale.scale_vec::4X");
  }
#undef SLUICE_TCGEN05_KIND
#undef SLUICE_TCGEN05_SCALED
}

/// PTX ISA "tcgen05.cp"; for a pair in each CTA from its own shared memory to its own columns. Of
/// `bits` 4 or 6, sixteen numbers in 16 bytes get a byte each.
template <Tcgen05Rows rows, int ctas, int bits = 0>
__device__ __forceinline__ void tcgen05Copy(u32 to, u64 from) {
#define SLUICE_TCGEN05_COPY(shape)                                                                 \
  if constexpr (ctas == 1)                                                                         \
    asm volatile("tcgen05.cp.cta_group::1." shape " [%0], %1;" ::"r"(to), "l"(from) : "memory");   \
  else                                                                                             \
    asm volatile("tcgen05.cp.cta_group::2." shape " [%0], %1;" ::"r"(to), "l"(from) : "memory")
#define SLUICE_TCGEN05_WIDE_COPY(shape)                                                            \
  if constexpr (bits == 4)                                                                         \
    SLUICE_TCGEN05_COPY(shape ".b8x16.b4x16_p64");                                                 \
  else if constexpr (bits == 6)                                                                    \
    SLUICE_TCGEN05_COPY(shape ".b8x16.b6x16_p32");                                                 \
  else                                                                                             \
    SLUICE_TCGEN05_COPY(shape)
  if constexpr (rows == Tcgen05Rows::wide) {
    SLUICE_TCGEN05_WIDE_COPY("128x256b");
  } else if constexpr (rows == Tcgen05Rows::narrow) {
    SLUICE_TCGEN05_COPY("128x128b");
  } else if constexpr (rows == Tcgen05Rows::twice) {
    SLUICE_TCGEN05_COPY("64x128b.warpx2::02_13");
  } else if constexpr (rows == Tcgen05Rows::neighbours) {
    SLUICE_TCGEN05_COPY("64x128b.warpx2::01_23");
  } else if constexpr (rows == Tcgen05Rows::each) {
    SLUICE_TCGEN05_WIDE_COPY("4x256b");
  } else {
    SLUICE_TCGEN05_COPY("32x128b.warpx4");
  }
#undef SLUICE_TCGEN05_WIDE_COPY
#undef SLUICE_TCGEN05_COPY
}
/// PTX ISA "tcgen05.shift"
template <int ctas> __device__ __forceinline__ void tcgen05Shift(u32 columns) {
  if constexpr (ctas == 1)
    asm volatile("tcgen05.shift.cta_group::1.down [%0];" ::"r"(columns) : "memory");
  else
    asm volatile("tcgen05.shift.cta_group::2.down [%0];" ::"r"(columns) : "memory");
}

/// PTX ISA "tcgen05.commit": one arrival when this thread's products have ended
template <int ctas = 1, int sync = 0> __device__ __forceinline__ void tcgen05Commit(u32 barrier) {
#define SLUICE_TCGEN05_COMMIT(group)                                                               \
  asm volatile("tcgen05.commit.cta_group::" group                                                  \
               ".mbarrier::arrive::one.shared::cluster.b64 [%0]; // sync %1" ::"r"(barrier),       \
               "n"(sync)                                                                           \
               : "memory")
  if constexpr (ctas == 1)
    SLUICE_TCGEN05_COMMIT("1");
  else
    SLUICE_TCGEN05_COMMIT("2");
#undef SLUICE_TCGEN05_COMMIT
}
/// The same at the barrier of this place in each CTA of `mask`
template <int ctas = 1, int sync = 0>
__device__ __forceinline__ void tcgen05CommitMulticast(u32 barrier, u16 mask) {
#define SLUICE_TCGEN05_COMMIT(group)                                                               \
  asm volatile(                                                                                    \
      "tcgen05.commit.cta_group::" group                                                           \
      ".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1; // sync %2" ::"r"(  \
          barrier),                                                                                \
      "h"(mask), "n"(sync)                                                                         \
      : "memory")
  if constexpr (ctas == 1)
    SLUICE_TCGEN05_COMMIT("1");
  else
    SLUICE_TCGEN05_COMMIT("2");
#undef SLUICE_TCGEN05_COMMIT
}

#endif // SLUICE_VALUES

/// What an instruction is told of an operand's type.
template <Tcgen05Kind of, u32 by> struct Tcgen05Operand {
  static constexpr Tcgen05Kind kind = of;
  static constexpr u32 code = by;
};
template <class T> struct Tcgen05Type;
template <> struct Tcgen05Type<f16> : Tcgen05Operand<Tcgen05Kind::f16, Tcgen05Format::f16> {};
template <> struct Tcgen05Type<bf16> : Tcgen05Operand<Tcgen05Kind::f16, Tcgen05Format::bf16> {};
template <> struct Tcgen05Type<tf32> : Tcgen05Operand<Tcgen05Kind::tf32, Tcgen05Format::tf32> {};
template <> struct Tcgen05Type<e4m3> : Tcgen05Operand<Tcgen05Kind::f8f6f4, Tcgen05Format::e4m3> {};
template <> struct Tcgen05Type<e5m2> : Tcgen05Operand<Tcgen05Kind::f8f6f4, Tcgen05Format::e5m2> {};
template <> struct Tcgen05Type<e2m3> : Tcgen05Operand<Tcgen05Kind::f8f6f4, Tcgen05Format::e2m3> {};
template <> struct Tcgen05Type<e3m2> : Tcgen05Operand<Tcgen05Kind::f8f6f4, Tcgen05Format::e3m2> {};
template <> struct Tcgen05Type<e2m1> : Tcgen05Operand<Tcgen05Kind::f8f6f4, Tcgen05Format::e2m1> {};
template <> struct Tcgen05Type<s8> : Tcgen05Operand<Tcgen05Kind::i8, Tcgen05Format::s8> {};

/// What the products of two types are told.
template <class A, bool aMajor, class B, bool bMajor, int M, int N> struct Tcgen05Instruction {
  using T = Tcgen05Type<A>;
  using S = Tcgen05Type<B>;
  static_assert(T::kind == S::kind, "types of one kind");
  static_assert(aMajor || !packedBits<A>, "4 and 6 bits along K");
  static_assert(bMajor || !packedBits<B>, "4 and 6 bits along K");
  static constexpr Tcgen05Kind kind = T::kind;
  static constexpr u32 sums =
      kind == Tcgen05Kind::i8 ? Tcgen05Format::sumsOfS32 : Tcgen05Format::sumsOfF32;
  static constexpr u32 word = tcgen05Instruction(sums, T::code, S::code, !aMajor, !bMajor, M, N);
  static constexpr int step = 32 / int(sizeof(A)); // along K
};

/// d from its first column on; an instruction takes 32 bytes of K.
template <int N, int K, int M = 128, int ctas = 1, class A, bool aMajor, class B, bool bMajor>
__device__ __forceinline__ void tcgen05Mma(u32 d, SharedOperand<A, aMajor> a,
                                           SharedOperand<B, bMajor> b, bool accumulate) {
  using I = Tcgen05Instruction<typename A::Element, aMajor, typename B::Element, bMajor, M, N>;
#pragma unroll
  for (int k = 0; k < K; k += I::step)
    tcgen05Product<I::kind, ctas>(d, tcgen05Descriptor(a.from(0, k)),
                                  tcgen05Descriptor(b.from(0, k)), I::word, k > 0 || accumulate);
}
/// The same with a in tensor memory: 8 columns for each instruction.
template <int N, int K, int M = 128, int ctas = 1, class A, class B, bool bMajor>
__device__ __forceinline__ void tcgen05Mma(u32 d, TmemOperand<A> a, SharedOperand<B, bMajor> b,
                                           bool accumulate) {
  using I = Tcgen05Instruction<A, true, typename B::Element, bMajor, M, N>;
#pragma unroll
  for (int k = 0; k < K; k += I::step)
    tcgen05Product<I::kind, ctas>(d, a.address + u32(k / I::step * 8),
                                  tcgen05Descriptor(b.from(0, k)), I::word, k > 0 || accumulate);
}

/// Rows of 16 bytes, by their address in shared memory.
__device__ __forceinline__ u64 rowsDescriptor(u32 from) {
  return (from >> 4 & 0x3fff) | u64(tcgen05UpperOfRows()) << 32;
}
/// 32 rows, as those of factors, to each 32 lanes; 64 to lanes 0 to 63 and 64 to 127, or rows 0 to
/// 31 to lanes 0 to 63 and the others to the rest; 128 rows.
template <int ctas = 1> __device__ __forceinline__ void tmemCopyScales(u32 to, u32 from) {
  tcgen05Copy<Tcgen05Rows::four, ctas>(to, rowsDescriptor(from));
}
template <int ctas = 1> __device__ __forceinline__ void tmemCopyTwice(u32 to, u32 from) {
  tcgen05Copy<Tcgen05Rows::twice, ctas>(to, rowsDescriptor(from));
}
template <int ctas = 1> __device__ __forceinline__ void tmemCopyNeighbours(u32 to, u32 from) {
  tcgen05Copy<Tcgen05Rows::neighbours, ctas>(to, rowsDescriptor(from));
}
template <int ctas = 1> __device__ __forceinline__ void tmemCopyRows(u32 to, u32 from) {
  tcgen05Copy<Tcgen05Rows::narrow, ctas>(to, rowsDescriptor(from));
}
/// `columns` elements of 128 rows of a swizzled tile, 32 bytes at a time; of 4 rows (each), to a
/// lane of each 32.
template <int columns, int ctas = 1, Tcgen05Rows rows = Tcgen05Rows::wide, class A>
__device__ __forceinline__ void tmemCopy(u32 to, SharedOperand<A, true> from) {
  constexpr int step = 32 / int(sizeof(typename A::Element));
#pragma unroll
  for (int k = 0; k < columns; k += step)
    tcgen05Copy<rows, ctas, packedBits<typename A::Element>>(to + u32(k / step * 8),
                                                             tcgen05Descriptor(from.from(0, k)));
}
template <int columns, int ctas = 1, class A>
__device__ __forceinline__ void tmemCopyFour(u32 to, SharedOperand<A, true> from) {
  tmemCopy<columns, ctas, Tcgen05Rows::each>(to, from);
}
/// Rows of 8 columns of 32 lanes move by one lane.
template <int ctas = 1> __device__ __forceinline__ void tmemShift(u32 columns) {
  tcgen05Shift<ctas>(columns);
}
/// What block-scaled products of two types are told: `factors` of a row for 32 bytes of K.
template <class A, bool aMajor, class B, bool bMajor, class Factor, int M, int N>
struct Tcgen05Scaled {
  using T = Tcgen05Type<A>;
  using S = Tcgen05Type<B>;
  static_assert(T::kind == Tcgen05Kind::f8f6f4 && S::kind == T::kind && isSame<Factor, ue8m0>,
                "floats of 4 to 8 bits by powers of two");
  static_assert(aMajor || !packedBits<A>, "4 and 6 bits along K");
  static_assert(bMajor || !packedBits<B>, "4 and 6 bits along K");
  static constexpr Tcgen05Kind kind = Tcgen05Kind::mxf8f6f4;
  static constexpr int factors = 1;
  __device__ static constexpr u32 word(int block) {
    return tcgen05ScaledInstruction(T::code, S::code, !aMajor, !bMajor, M, N, block);
  }
};
template <class Factor, int M, int N>
struct Tcgen05Scaled<e2m1x2, true, e2m1x2, true, Factor, M, N> {
  static constexpr bool powers = isSame<Factor, ue8m0>;
  static_assert(powers || isSame<Factor, e4m3>, "factors of ue8m0 or ue4m3");
  static constexpr Tcgen05Kind kind = powers ? Tcgen05Kind::mxf4 : Tcgen05Kind::mxf4nvf4;
  static constexpr int factors = powers ? 2 : 4;
  __device__ static constexpr u32 word(int block) {
    return tcgen05Mxf4Instruction(powers, M, N, block);
  }
};

/// Columns of 128 lines of factors for four blocks, of N columns of b: one lane of each 32 has
/// those of all, of a pair with 64 rows in each CTA of half of them.
template <int N, int M, int ctas>
constexpr int factorColumns = ((M < 128 * ctas ? N / 2 : N) + 127) / 128 * 4;

/// d += a b with a factor for each block of a row of a and of a column of b: of 128 of them a byte
/// in each word of 4 columns for one block, of the next four blocks further on.
template <int N, int K, class Factor = ue8m0, int ctas = 1, int M = 128 * ctas, class A,
          bool aMajor, class B, bool bMajor>
__device__ __forceinline__ void tcgen05MmaScaled(u32 d, SharedOperand<A, aMajor> a,
                                                 SharedOperand<B, bMajor> b, u32 scalesA,
                                                 u32 scalesB, bool accumulate) {
  using I = Tcgen05Scaled<typename A::Element, aMajor, typename B::Element, bMajor, Factor, M, N>;
#pragma unroll
  for (int k = 0; k < K; k += 32) {
    const int block = k / 32 * I::factors;
    tcgen05ScaledProduct<I::kind, ctas>(
        d, tcgen05Descriptor(a.from(0, k)), tcgen05Descriptor(b.from(0, k)), I::word(block % 4),
        scalesA + u32(block / 4 * 4), scalesB + u32(block / 4 * factorColumns<N, M, ctas>),
        k > 0 || accumulate);
  }
}
/// The same with a in tensor memory: 8 columns for each instruction.
template <int N, int K, class Factor = ue8m0, int ctas = 1, int M = 128 * ctas, class A, class B,
          bool bMajor>
__device__ __forceinline__ void tcgen05MmaScaled(u32 d, TmemOperand<A> a,
                                                 SharedOperand<B, bMajor> b, u32 scalesA,
                                                 u32 scalesB, bool accumulate) {
  using I = Tcgen05Scaled<A, true, typename B::Element, bMajor, Factor, M, N>;
#pragma unroll
  for (int k = 0; k < K; k += 32) {
    const int block = k / 32 * I::factors;
    tcgen05ScaledProduct<I::kind, ctas>(
        d, a.address + u32(k / 32 * 8), tcgen05Descriptor(b.from(0, k)), I::word(block % 4),
        scalesA + u32(block / 4 * 4), scalesB + u32(block / 4 * factorColumns<N, M, ctas>),
        k > 0 || accumulate);
  }
}

} // namespace sluice

#endif // SLUICE_HOST
