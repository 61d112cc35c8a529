// What ring slots held when they were read: for kernels printed with checksums. Who does not print
// them has no instruction of this.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// The part of a word at its place in the sum over a slot: the finaliser of SplitMix64 (Steele,
/// Lea, Flood). lib/Emit/Checksums.cpp has the same function.
__device__ __forceinline__ u64 checksumOfWord(u32 word, u32 index) {
  u64 x = (u64(index) << 32 | word) + 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

#ifndef SLUICE_HOST

/// The sums of a warp, in `1 + kept` words behind those of the warps before, CTA after CTA; the
/// first word is their number. What comes after `kept` is counted and not kept.
template <u32 kept> class Checksums {
public:
  __device__ __forceinline__ explicit Checksums(u64 *all) {
    const u64 cta = blockIdx.x + u64(gridDim.x) * (blockIdx.y + u64(gridDim.y) * blockIdx.z);
    words_ = all + (cta * (blockDim.x / 32) + threadIdx.x / 32) * (1 + kept);
  }

  /// All lanes call it. The bytes are a multiple of four.
  __device__ __forceinline__ void slot(u32 address, u32 bytes) {
    u64 sum = 0;
    for (u32 i = laneOfWarp(); i < bytes / 4; i += 32) {
      u32 word;
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address + 4 * i) : "memory");
      sum += checksumOfWord(word, i);
    }
    for (int lanes = 16; lanes; lanes /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (++count_ <= kept && laneOfWarp() == 0)
      words_[count_] = sum;
  }

  /// The warp has done all that it does.
  __device__ __forceinline__ void finish() {
    if (laneOfWarp() == 0)
      words_[0] = count_;
  }

private:
  u64 *words_;
  u32 count_ = 0;
};

#endif // SLUICE_HOST

} // namespace sluice
