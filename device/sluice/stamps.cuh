// When the warps of one CTA did what: for kernels printed with stamps. Who does not print them has
// no instruction of this.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// What a warp did from `begin` on, in clocks of its SM. The first of a warp tells of the warp as a
/// whole: when it began, how long it ran, and how many events it had.
struct alignas(16) Stamp {
  u64 begin;
  u32 cycles, event;
};

/// PTX ISA "%clock64". It counts the clocks of one SM, and all warps of a CTA run on one, so that
/// their stamps can be compared to the cycle; %globaltimer is one for all SMs, in steps that may be
/// a microsecond.
__device__ __forceinline__ u64 clockOfSm() {
  u64 clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return clock;
}

/// PTX ISA "%clock": its lower half.
__device__ __forceinline__ u32 lowClockOfSm() {
  u32 clock;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
  return clock;
}

/// The stamps of a warp of CTA `cta` (counted with x fastest), in `1 + kept` records behind those
/// of the warps before. One lane writes: the one that electLane() always names. What comes after
/// `kept` events is counted and not kept. Two registers live along with the kernel's own.
template <u32 kept> class Stamps {
public:
  __device__ __forceinline__ Stamps(Stamp *all, u32 cta) : all_(all) {
    if (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z) != cta || !electLane())
      return;
    last_ = first();
    all_[last_].begin = clockOfSm();
  }

  __device__ __forceinline__ void begin() { begin_ = lowClockOfSm(); }

  /// Nothing lasts as long as the lower half of the clock.
  __device__ __forceinline__ void end(u32 event) {
    const u64 now = clockOfSm();
    const u32 cycles = u32(now) - begin_;
    const u64 from = now - cycles;
    last_ += last_ != nobody;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.le.u32 p, %5, %6;\n"
                 "@p st.global.v4.b32 [%0], {%1, %2, %3, %4};\n"
                 "}" ::"l"(all_ + last_),
                 "r"(u32(from)), "r"(u32(from >> 32)), "r"(cycles), "r"(event), "r"(last_),
                 "r"(first() + kept)
                 : "memory");
  }

  /// The warp has done all that it does.
  __device__ __forceinline__ void finish() {
    if (last_ == nobody)
      return;
    Stamp &whole = all_[first()];
    whole.cycles = u32(clockOfSm() - whole.begin);
    whole.event = last_ - first();
  }

private:
  static constexpr u32 nobody = ~0u;
  __device__ __forceinline__ u32 first() const { return threadIdx.x / 32 * (1 + kept); }

  Stamp *all_;
  u32 last_ = nobody, begin_ = 0; // last_: the record written last
};

} // namespace sluice
