// Words every other header speaks: integer types, warps and lanes, addresses of shared memory.
#pragma once

#ifdef SLUICE_HOST
#include <sluice/host_words.cuh>
#endif
#ifdef SLUICE_VALUES
#include <sluice/values_words.cuh>
#endif

namespace sluice {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

template <class A, class B> constexpr bool isSame = false;
template <class A> constexpr bool isSame<A, A> = true;

/// b is positive.
__device__ __forceinline__ int ceilDiv(int a, int b) {
  return a / b + (a % b > 0);
}

/// 0 <= i < extent.
__device__ __forceinline__ bool inside(int i, int extent) {
  return u32(i) < u32(extent > 0 ? extent : 0);
}

#ifndef SLUICE_VALUES
#ifndef SLUICE_HOST

/// Warp of the CTA, in a register that the compiler knows to be the same for all lanes.
__device__ __forceinline__ int warpOfCta() {
  return __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
}

__device__ __forceinline__ int laneOfWarp() {
  return int(threadIdx.x % 32);
}

/// Address in the shared window, what every instruction on shared memory takes; the same for all
/// lanes. Handed through a shuffle, so that it stays in a register: ptxas would else read the
/// number of the CTA in its cluster again for every use.
__device__ __forceinline__ u32 sharedAddress(const void *p) {
  return __shfl_sync(0xffffffffu, static_cast<u32>(__cvta_generic_to_shared(p)), 0);
}

/// The same place in CTA `rank` of the cluster. PTX ISA "mapa".
__device__ __forceinline__ u32 addressInCluster(u32 address, u32 rank) {
  u32 result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}

/// Rank of the CTA in its cluster. PTX ISA "%cluster_ctarank".
__device__ __forceinline__ int clusterRank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return int(rank);
}

/// True in one lane, after all lanes of the warp have done what stands before: a warp is one agent
/// to the checker. All lanes call it. PTX ISA "elect.sync", "bar.warp.sync".
__device__ __forceinline__ bool electLane() {
  __syncwarp();
  u32 elected;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "elect.sync _|p, 0xffffffff;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}"
               : "=r"(elected)::"memory");
  return elected != 0;
}

#endif // SLUICE_HOST
#endif // SLUICE_VALUES

} // namespace sluice

#ifdef SLUICE_VALUES
#include <sluice/values_lanes.cuh>
#endif
