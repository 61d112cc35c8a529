// Products of sm_100a: d[128,N] += a[128,K] b[K,N] by one thread, d in tensor memory, a and b in
// shared memory. What stands beside device.cuh in kernels for that target.
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

#ifndef SLUICE_VALUES

/// PTX ISA "tcgen05.mma", kind::f16, both operands by descriptor.
__device__ __forceinline__ void tcgen05Product(u32 d, u64 a, u64 b, u32 instruction,
                                               bool accumulate) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n"
               "}" ::"r"(d),
               "l"(a), "l"(b), "r"(instruction), "r"(int(accumulate))
               : "memory");
}

/// PTX ISA "tcgen05.commit": one arrival when this thread's products have ended
template <int sync = 0> __device__ __forceinline__ void tcgen05Commit(u32 barrier) {
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0]; // sync %1" ::
          "r"(barrier),
      "n"(sync)
      : "memory");
}

#endif // SLUICE_VALUES

/// d from its first column on; K in 16 of an instruction.
template <int N, int K, class A, bool aMajor, class B, bool bMajor>
__device__ __forceinline__ void tcgen05Mma(u32 d, SharedOperand<A, aMajor> a,
                                           SharedOperand<B, bMajor> b, bool accumulate) {
  using T = typename A::Element;
  static_assert(isSame<T, typename B::Element> && (isSame<T, f16> || isSame<T, bf16>),
                "kind::f16 of one type");
  constexpr u32 instruction = tcgen05Instruction(isSame<T, bf16>, !aMajor, !bMajor, 128, N);
#pragma unroll
  for (int k = 0; k < K; k += 16)
    tcgen05Product(d, tcgen05Descriptor(a.from(0, k)), tcgen05Descriptor(b.from(0, k)), instruction,
                   k > 0 || accumulate);
}

} // namespace sluice

#endif // SLUICE_HOST
