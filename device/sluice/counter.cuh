// Counters in global memory: one i32 that some CTAs add to and others wait for.
#pragma once

#include <sluice/base.cuh>
#include <sluice/scope.cuh>
#include <sluice/watchdog.cuh>

namespace sluice {

#ifndef SLUICE_VALUES

/// PTX ISA "red": adds, and what this thread sees is seen by those who acquire the sum
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterAdd(int *counter, int value) {
  if constexpr (scope == Scope::cta)
    asm volatile("red.release.cta.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
  else if constexpr (scope == Scope::cluster)
    asm volatile("red.release.cluster.global.add.s32 [%0], %1; // sync %2" ::"l"(counter),
                 "r"(value), "n"(sync)
                 : "memory");
  else
    asm volatile("red.release.gpu.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
}
/// ... without release
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterAddRelaxed(int *counter, int value) {
  if constexpr (scope == Scope::cta)
    asm volatile("red.relaxed.cta.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
  else if constexpr (scope == Scope::cluster)
    asm volatile("red.relaxed.cluster.global.add.s32 [%0], %1; // sync %2" ::"l"(counter),
                 "r"(value), "n"(sync)
                 : "memory");
  else
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
}

/// PTX ISA "atom": one lane adds, and all of its warp know what the counter held before, and see
/// what those who had added had released. All lanes call it.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ int counterDraw(int *counter, int value) {
  int old = 0;
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    if constexpr (scope == Scope::cta)
      asm volatile("atom.acq_rel.cta.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("atom.acq_rel.cluster.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else
      asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
  }
  __syncwarp();
  return __shfl_sync(0xffffffff, old, 0);
}
/// ... without release
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ int counterDrawRelaxed(int *counter, int value) {
  int old = 0;
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    if constexpr (scope == Scope::cta)
      asm volatile("atom.relaxed.cta.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("atom.relaxed.cluster.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else
      asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
  }
  return __shfl_sync(0xffffffff, old, 0);
}

/// PTX ISA "ld": until the counter is at least `value`, with acquire
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterWait(const int *counter, int value) {
  int seen;
  [[maybe_unused]] const Deadline deadline;
  do {
    if constexpr (scope == Scope::cta)
      asm volatile("ld.acquire.cta.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("ld.acquire.cluster.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    else
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    if (seen < value && deadline.passed())
      counterExpired(sync, seen, value);
  } while (seen < value);
}

#endif // SLUICE_VALUES

} // namespace sluice

#ifdef SLUICE_VALUES
#include <sluice/values_barriers.cuh>
#endif
