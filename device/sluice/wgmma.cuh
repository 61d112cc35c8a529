// Warpgroup matrix multiplication on tiles: d[M,N] += a[M,K] b[K,N], 64 rows per instruction.
#pragma once

#include <sluice/fragment.cuh>
#include <sluice/shared_tile.cuh>
#ifdef SLUICE_VALUES
#include <sluice/values_wgmma.cuh>
#else
#include <sluice/wgmma_shapes.cuh>
#endif

namespace sluice {

/// An operand in shared memory. PTX ISA "wgmma: Matrix Descriptor Format": address, leading and
/// stride byte offsets in units of 16 bytes at bits 0, 16 and 32; swizzle 1, 2, 3 (128, 64, 32
/// bytes) at 62. kMajor: K is the contiguous dimension. In this layout of chunks
///   K-major:  8 lines of M or N are 8 * span apart (stride); the leading offset has no meaning;
///   MN-major: 8 lines of K are 8 * span apart (stride), spans of M or N one chunk (leading).
template <class Tile, bool kMajor> struct SharedOperand {
  using Element = typename Tile::Element;
  static constexpr bool isKMajor = kMajor;
  static constexpr int span = Tile::swizzle;
  static_assert(span == 32 || span == 64 || span == 128, "wgmma reads swizzled tiles");
  static constexpr u32 leading = kMajor ? 1 : Tile::chunkBytes / 16;
  static constexpr u32 stride = 8 * span / 16;
  static constexpr u32 swizzle = span == 128 ? 1 : span == 64 ? 2 : 3;
  u32 start; // bits 0 to 31

  __device__ __forceinline__ u64 descriptor() const {
    return start | u64(stride | swizzle << 30) << 32;
  }

  /// The operand from element (mn, k) on: mn a multiple of 8 (K-major) or of a span, k of 32
  /// bytes.
  __device__ __forceinline__ SharedOperand from(int mn, int k) const {
    constexpr int elements = Tile::chunkElements;
    int bytes =
        kMajor ? mn * span + k / elements * Tile::chunkBytes + k % elements * int(sizeof(Element))
               : mn / elements * Tile::chunkBytes + k * span;
    return SharedOperand{start + u32(bytes / 16)};
  }
};

template <bool kMajor, class Tile, int slotBytes>
__device__ __forceinline__ SharedOperand<Tile, kMajor> operandOf(Buffer<Tile, slotBytes> buffer,
                                                                 int slot) {
  using Operand = SharedOperand<Tile, kMajor>;
  static_assert(slotBytes % 16 == 0, "slots start at multiples of 16 bytes");
  // The slot is added last: what stands before does not change in a loop.
  return {((buffer.base >> 4 & 0x3fff) | Operand::leading << 16) + u32(slot * (slotBytes / 16))};
}
template <class Tile, int slotBytes>
__device__ __forceinline__ auto kMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return operandOf<true>(buffer, slot);
}
template <class Tile, int slotBytes>
__device__ __forceinline__ auto mnMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return operandOf<false>(buffer, slot);
}

/// A in registers, from column `first` of its fragment on.
template <class Frag> struct RegisterOperand {
  const Frag &fragment;
  int first;
};
template <class Frag>
__device__ __forceinline__ RegisterOperand<Frag> inRegisters(const Frag &fragment, int first = 0) {
  return {fragment, first};
}

#ifndef SLUICE_VALUES

/// PTX ISA "wgmma.fence": register operands written before are seen by the wgmma after.
template <int sync = 0, class... Frags>
__device__ __forceinline__ void wgmmaFence(Frags &...frags) {
  (pin(frags), ...);
  asm volatile("wgmma.fence.sync.aligned; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "wgmma.commit_group"
template <int sync = 0> __device__ __forceinline__ void wgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "wgmma.wait_group": at most `pending` groups remain; later reads of `frags` stay behind
/// it.
template <int pending, int sync = 0, class... Frags>
__device__ __forceinline__ void wgmmaWait(Frags &...frags) {
  asm volatile("wgmma.wait_group.sync.aligned %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
  (pin(frags), ...);
}

#endif // SLUICE_VALUES

/// K in 32 bytes of an instruction; `warpgroup` of `warpgroups` of the role.
template <int K, int warpgroups, class D, int N, int blocks, class A, bool aMajor, class B,
          bool bMajor>
__device__ __forceinline__ void wgmma(Fragment<D, N, blocks> &d, SharedOperand<A, aMajor> a,
                                      SharedOperand<B, bMajor> b, bool accumulate, int warpgroup) {
  using T = typename A::Element;
  using S = typename B::Element;
  static_assert(isSame<T, S> || (isFloat8<T> && isFloat8<S>), "only 8-bit floats are mixed");
  static_assert(sizeof(T) == 2 || (aMajor && bMajor), "only operands of 16 bits are transposed");
  constexpr int step = 32 / int(sizeof(T));
#pragma unroll
  for (int block = 0; block < blocks; ++block) {
    auto rows = a.from(64 * (block * warpgroups + warpgroup), 0);
#pragma unroll
    for (int k = 0; k < K; k += step)
      WgmmaShape<N>::template ss<T, S, !aMajor, !bMajor>(
          d.v + block * N / 2, rows.from(0, k).descriptor(), b.from(0, k).descriptor(),
          k > 0 || accumulate);
  }
}
template <int K, int N, int blocks, class Frag, class B, bool bMajor>
__device__ __forceinline__ void wgmma(Fragment<float, N, blocks> &d, RegisterOperand<Frag> a,
                                      SharedOperand<B, bMajor> b, bool accumulate) {
  static_assert(Frag::rowBlocks == blocks, "a and d have the same rows");
  static_assert(sizeof(typename B::Element) == 2, "other operands have another fragment");
#pragma unroll
  for (int block = 0; block < blocks; ++block)
#pragma unroll
    for (int k = 0; k < K; k += 16)
      WgmmaShape<N>::template rs<typename B::Element, !bMajor>(
          d.v + block * N / 2, a.fragment.v + (block * Frag::columns + a.first + k) / 4,
          b.from(0, k).descriptor(), k > 0 || accumulate);
}

} // namespace sluice
