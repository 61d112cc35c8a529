// mbarriers in shared memory. PTX ISA "Parallel Synchronization and Communication Instructions:
// mbarrier"; addresses are those of the shared window.
#pragma once

#include <sluice/base.cuh>
#include <sluice/scope.cuh>
#include <sluice/watchdog.cuh>

namespace sluice {

/// An array of mbarriers, 8 bytes each.
struct Mbarriers {
  u32 base;
  __device__ __forceinline__ u32 operator[](int i) const { return base + 8 * u32(i); }
};

#ifndef SLUICE_VALUES
#ifndef SLUICE_HOST

/// mbarrier.init: phase 0, `count` arrivals per phase.
template <int sync = 0> __device__ __forceinline__ void mbarrierInit(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; // sync %2" ::"r"(barrier), "r"(count),
               "n"(sync)
               : "memory");
}

/// mbarrier.inval
template <int sync = 0> __device__ __forceinline__ void mbarrierInval(u32 barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier), "n"(sync)
               : "memory");
}

/// mbarrier.arrive
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArrive(u32 barrier, u32 count = 1) {
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(barrier),
        "r"(count), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(barrier),
        "r"(count), "n"(sync)
        : "memory");
}

/// mbarrier.arrive on the barrier at the same place of CTA `rank`. CTA scope is enough for what
/// mostly crosses CTAs: the end of reads, and what TMA wrote, which complete_tx carries. What
/// ordinary stores wrote needs `.cluster` here and at the wait, which pays a membar.gpu.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveRemote(u32 barrier, u32 rank, u32 count = 1) {
  const u32 remote = addressInCluster(barrier, rank);
  if constexpr (scope == Scope::cta)
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
                 "r"(count), "n"(sync)
                 : "memory");
  else
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
        "r"(count), "n"(sync)
        : "memory");
}

/// mbarrier.arrive.expect_tx: announces bytes, then arrives once
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveExpectTx(u32 barrier, u32 bytes) {
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(
            barrier),
        "r"(bytes), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cluster.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(
            barrier),
        "r"(bytes), "n"(sync)
        : "memory");
}
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  const u32 remote = addressInCluster(barrier, rank);
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
        "r"(bytes), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1; // sync %2" ::
            "r"(remote),
        "r"(bytes), "n"(sync)
        : "memory");
}

/// mbarrier.expect_tx: announces bytes without arriving
template <int sync = 0> __device__ __forceinline__ void mbarrierExpectTx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1; // sync %2" ::"r"(barrier),
               "r"(bytes), "n"(sync)
               : "memory");
}
template <int sync = 0>
__device__ __forceinline__ void mbarrierExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1; // sync %2" ::"r"(
                   addressInCluster(barrier, rank)),
               "r"(bytes), "n"(sync)
               : "memory");
}

/// mbarrier.complete_tx: as if so many bytes had come
__device__ __forceinline__ void mbarrierCompleteTx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}

/// mbarrier.try_wait.parity, until the phase of that parity has completed
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierWait(u32 barrier, u32 parity) {
  u32 done;
  [[maybe_unused]] const Deadline deadline;
  do {
    if constexpr (scope == Scope::cta)
      asm volatile("{\n"
                   ".reg .pred p;\n"
                   "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n"
                   "} // sync %3"
                   : "=r"(done)
                   : "r"(barrier), "r"(parity), "n"(sync)
                   : "memory");
    else
      asm volatile("{\n"
                   ".reg .pred p;\n"
                   "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n"
                   "} // sync %3"
                   : "=r"(done)
                   : "r"(barrier), "r"(parity), "n"(sync)
                   : "memory");
    if (!done && deadline.passed())
      mbarrierExpired(sync, barrier, parity);
  } while (!done);
}

/// mbarrier.test_wait.parity: whether the phase of that parity has completed. It does not wait; a
/// lane that is told so has acquired what a wait would.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ bool mbarrierTest(u32 barrier, u32 parity) {
  u32 done;
  if constexpr (scope == Scope::cta)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "} // sync %3"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity), "n"(sync)
                 : "memory");
  else
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "} // sync %3"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity), "n"(sync)
                 : "memory");
  return done != 0;
}
/// Whether all lanes of the warp were told so: one answer for all, so that they go one way.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ bool mbarrierTestAll(u32 barrier, u32 parity) {
  return __all_sync(0xffffffffu, mbarrierTest<scope, sync>(barrier, parity));
}

#endif // SLUICE_HOST
#endif // SLUICE_VALUES

} // namespace sluice

#ifdef SLUICE_VALUES
#include <sluice/values_barriers.cuh>
#endif
