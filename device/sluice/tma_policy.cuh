// Tensor copies that tell the second-level cache what to evict first: those of tma.cuh with a
// policy in front. Included by the text that has one. PTX ISA "createpolicy",
// "cp.async.bulk.tensor" and "cp.reduce.async.bulk.tensor" (.L2::cache_hint).
#pragma once

#include <sluice/tensor_lines.cuh>
#ifndef SLUICE_HOST
#include <sluice/tma.cuh>
#endif

namespace sluice {

/// For all lines that a copy touches.
struct CachePolicy {
  u64 bits;
};

#ifndef SLUICE_HOST
#ifndef SLUICE_VALUES

__device__ __forceinline__ CachePolicy evictFirst() {
  CachePolicy policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(policy.bits));
  return policy;
}
__device__ __forceinline__ CachePolicy evictLast() {
  CachePolicy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy.bits));
  return policy;
}

// One box by the number of its coordinates, which are the first five operands; the contiguous
// dimension comes first.
#define SLUICE_TMA_BOX(copy)                                                                       \
  const int c[5] = {coordinates...};                                                               \
  constexpr int rank = sizeof...(coordinates);                                                     \
  if constexpr (rank == 1)                                                                         \
    copy("1d", "{%0}");                                                                            \
  if constexpr (rank == 2)                                                                         \
    copy("2d", "{%0, %1}");                                                                        \
  if constexpr (rank == 3)                                                                         \
    copy("3d", "{%0, %1, %2}");                                                                    \
  if constexpr (rank == 4)                                                                         \
    copy("4d", "{%0, %1, %2, %3}");                                                                \
  if constexpr (rank == 5)                                                                         \
    copy("5d", "{%0, %1, %2, %3, %4}");                                                            \
  static_assert(rank >= 1 && rank <= 5, "dimensions of a tensor map")
#define SLUICE_TMA_COORDINATES "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])

template <class... Coordinates>
__device__ __forceinline__ void tmaLoadBox(CachePolicy policy, u32 to, const TensorMap &map,
                                           u32 barrier, Coordinates... coordinates) {
#define SLUICE_TMA_LOAD(dims, at)                                                                  \
  asm volatile("cp.async.bulk.tensor." dims ".shared::cluster.global.tile"                         \
               ".mbarrier::complete_tx::bytes.L2::cache_hint [%5], [%6, " at                       \
               "], [%7], %8;" ::SLUICE_TMA_COORDINATES,                                            \
               "r"(to), "l"(&map), "r"(barrier), "l"(policy.bits)                                  \
               : "memory")
  SLUICE_TMA_BOX(SLUICE_TMA_LOAD);
#undef SLUICE_TMA_LOAD
}

template <class... Coordinates>
__device__ __forceinline__ void tmaMulticastBox(CachePolicy policy, u16 mask, u32 to,
                                                const TensorMap &map, u32 barrier,
                                                Coordinates... coordinates) {
#define SLUICE_TMA_MULTICAST(dims, at)                                                             \
  asm volatile("cp.async.bulk.tensor." dims ".shared::cluster.global.tile"                         \
               ".mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"                   \
               " [%5], [%6, " at "], [%7], %8, %9;" ::SLUICE_TMA_COORDINATES,                      \
               "r"(to), "l"(&map), "r"(barrier), "h"(mask), "l"(policy.bits)                       \
               : "memory")
  SLUICE_TMA_BOX(SLUICE_TMA_MULTICAST);
#undef SLUICE_TMA_MULTICAST
}

template <class... Coordinates>
__device__ __forceinline__ void tmaStoreBox(CachePolicy policy, const TensorMap &map, u32 from,
                                            Coordinates... coordinates) {
#define SLUICE_TMA_STORE(dims, at)                                                                 \
  asm volatile("cp.async.bulk.tensor." dims ".global.shared::cta.tile"                             \
               ".bulk_group.L2::cache_hint [%5, " at "], [%6], %7;" ::SLUICE_TMA_COORDINATES,      \
               "l"(&map), "r"(from), "l"(policy.bits)                                              \
               : "memory")
  SLUICE_TMA_BOX(SLUICE_TMA_STORE);
#undef SLUICE_TMA_STORE
}

template <class... Coordinates>
__device__ __forceinline__ void tmaAddBox(CachePolicy policy, const TensorMap &map, u32 from,
                                          Coordinates... coordinates) {
#define SLUICE_TMA_ADD(dims, at)                                                                   \
  asm volatile("cp.reduce.async.bulk.tensor." dims ".global.shared::cta.add.tile"                  \
               ".bulk_group.L2::cache_hint [%5, " at "], [%6], %7;" ::SLUICE_TMA_COORDINATES,      \
               "l"(&map), "r"(from), "l"(policy.bits)                                              \
               : "memory")
  SLUICE_TMA_BOX(SLUICE_TMA_ADD);
#undef SLUICE_TMA_ADD
}
#undef SLUICE_TMA_COORDINATES
#undef SLUICE_TMA_BOX

// Boxes side by side, as in tma.cuh.
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaLoad(CachePolicy policy, u32 to, const TensorMap &map,
                                        u32 barrier, int c0, Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaLoadBox(policy, to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaMulticast(CachePolicy policy, u32 mask, u32 to,
                                             const TensorMap &map, u32 barrier, int c0,
                                             Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaMulticastBox(policy, u16(mask), to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaStore(CachePolicy policy, const TensorMap &map, u32 from, int c0,
                                         Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaStoreBox(policy, map, from + i * chunk, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaAdd(CachePolicy policy, const TensorMap &map, u32 from, int c0,
                                       Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaAddBox(policy, map, from + i * chunk, c0 + i * step, others...);
}

/// As in lines.cuh.
__device__ __forceinline__ void bulkLoad(CachePolicy policy, u32 at, u64 from, u32 bytes,
                                         u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1], %2, [%3], %4;" ::"r"(at),
               "l"(from), "r"(bytes), "r"(barrier), "l"(policy.bits)
               : "memory");
}
template <class Tile, int lines, class Place>
__device__ __forceinline__ void loadLines(CachePolicy policy, u32 to, int line0, const Place &w,
                                          u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 n) { bulkLoad(policy, at, from, n, barrier); };
  loadLinesBy<Tile, lines>(copy, to, line0, w, barrier);
}
template <class Tile, class Place>
__device__ __forceinline__ void loadSpan(CachePolicy policy, u32 to, const Place &w, u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 n) { bulkLoad(policy, at, from, n, barrier); };
  loadSpanBy<Tile>(copy, to, w, barrier);
}

#endif // SLUICE_VALUES
#endif // SLUICE_HOST

} // namespace sluice

#ifdef SLUICE_HOST
#include <sluice/host_policy.cuh>
#endif
#ifdef SLUICE_VALUES
#include <sluice/host_policy.cuh>
#endif
