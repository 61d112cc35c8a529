// Barriers other than mbarriers, fences, asynchronous groups, registers of a warpgroup.
#pragma once

#include <sluice/base.cuh>
#include <sluice/watchdog.cuh>

namespace sluice {

#ifndef SLUICE_VALUES

/// PTX ISA "bar.warp.sync"
template <int sync = 0> __device__ __forceinline__ void warpSync() {
  asm volatile("// sync %0" ::"n"(sync) : "memory");
  __syncwarp();
}

/// PTX ISA "bar{.cta}.sync": named barrier 0..15 of `threads` threads
template <int sync = 0> __device__ __forceinline__ void namedBarrierSync(int id, int threads) {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("bar.sync %0, %1; // sync %2" ::"r"(id), "r"(threads), "n"(sync) : "memory");
}
/// PTX ISA "bar{.cta}.arrive"
template <int sync = 0> __device__ __forceinline__ void namedBarrierArrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1; // sync %2" ::"r"(id), "r"(threads), "n"(sync) : "memory");
}

/// PTX ISA "barrier.cluster"
template <int sync = 0> __device__ __forceinline__ void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release; // sync %0" ::"n"(sync) : "memory");
}
template <int sync = 0> __device__ __forceinline__ void clusterArriveRelaxed() {
  asm volatile("barrier.cluster.arrive.relaxed; // sync %0" ::"n"(sync) : "memory");
}
template <int sync = 0> __device__ __forceinline__ void clusterWait() {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("barrier.cluster.wait.acquire; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "membar, fence": generic writes of this thread before accesses of the async proxy
template <int sync = 0> __device__ __forceinline__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta; // sync %0" ::"n"(sync) : "memory");
}
/// ... of global memory
template <int sync = 0> __device__ __forceinline__ void fenceProxyAsyncGlobal() {
  asm volatile("fence.proxy.async.global; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "membar, fence": mbarrier.init before arrivals of the cluster and of the async proxy
template <int sync = 0> __device__ __forceinline__ void fenceMbarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "membar, fence": what this thread has done before what it does next, for its CTA
__device__ __forceinline__ void fenceCta() {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
}

/// PTX ISA "cp.async.bulk.commit_group"
template <int sync = 0> __device__ __forceinline__ void bulkCommit() {
  asm volatile("cp.async.bulk.commit_group; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "cp.async.bulk.wait_group": at most `pending` groups of this thread remain
template <int pending, int sync = 0> __device__ __forceinline__ void bulkWait() {
  asm volatile("cp.async.bulk.wait_group %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}
/// ... whose sources are still being read
template <int pending, int sync = 0> __device__ __forceinline__ void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}

/// PTX ISA "cp.async.commit_group"
template <int sync = 0> __device__ __forceinline__ void cpAsyncCommit() {
  asm volatile("cp.async.commit_group; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "cp.async.wait_group"
template <int pending, int sync = 0> __device__ __forceinline__ void cpAsyncWait() {
  asm volatile("cp.async.wait_group %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}
/// PTX ISA "cp.async.mbarrier.arrive": when all earlier cp.async of this thread ended
template <int sync = 0> __device__ __forceinline__ void cpAsyncArrive(u32 barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier), "n"(sync)
               : "memory");
}
/// ... `.noinc`: the count of the barrier includes this arrival
template <int sync = 0> __device__ __forceinline__ void cpAsyncArriveNoinc(u32 barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier),
               "n"(sync)
               : "memory");
}

/// PTX ISA "griddepcontrol": until the kernel before has ended and its writes are visible
template <int sync = 0> __device__ __forceinline__ void waitForPreviousKernel() {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("griddepcontrol.wait; // sync %0" ::"n"(sync) : "memory");
}
/// ... the next kernel may start when every CTA has come here or ended
template <int sync = 0> __device__ __forceinline__ void launchDependents() {
  asm volatile("griddepcontrol.launch_dependents; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "setmaxnreg": all warps of the warpgroup call it
template <int registers> __device__ __forceinline__ void registersGrow() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ __forceinline__ void registersShrink() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

#endif // SLUICE_VALUES

} // namespace sluice

#ifdef SLUICE_VALUES
#include <sluice/values_barriers.cuh>
#endif
