// Tensor copies of the bulk copy engine. PTX ISA "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor", "prefetch.tensormap".
#pragma once

#include <sluice/base.cuh>
#ifdef SLUICE_VALUES
#include <sluice/values_tma.cuh>
#endif

namespace sluice {

#ifndef SLUICE_VALUES

/// What cuTensorMapEncodeTiled fills; a `const __grid_constant__` kernel parameter.
struct alignas(64) TensorMap {
  u64 opaque[16];
};

__device__ __forceinline__ void tmaPrefetch(const TensorMap &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// One box, coordinates with the contiguous dimension first.
#define SLUICE_TMA_LOAD(rank, coordinates, ...)                                                    \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile"                       \
               ".mbarrier::complete_tx::bytes [%0], [%1, " coordinates "], [%2];" ::"r"(to),       \
               "l"(&map), "r"(barrier), __VA_ARGS__                                                \
               : "memory")

__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0) {
  SLUICE_TMA_LOAD(1, "{%3}", "r"(c0));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1) {
  SLUICE_TMA_LOAD(2, "{%3, %4}", "r"(c0), "r"(c1));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2) {
  SLUICE_TMA_LOAD(3, "{%3, %4, %5}", "r"(c0), "r"(c1), "r"(c2));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2, int c3) {
  SLUICE_TMA_LOAD(4, "{%3, %4, %5, %6}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2, int c3, int c4) {
  SLUICE_TMA_LOAD(5, "{%3, %4, %5, %6, %7}", "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4));
}
#undef SLUICE_TMA_LOAD

// The same box into every CTA of `mask`, at the same places; each CTA's barrier gets the bytes.
#define SLUICE_TMA_MULTICAST(rank, coordinates, ...)                                               \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile"                       \
               ".mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, " coordinates          \
               "], [%2], %3;" ::"r"(to),                                                           \
               "l"(&map), "r"(barrier), "h"(mask), __VA_ARGS__                                     \
               : "memory")

__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0) {
  SLUICE_TMA_MULTICAST(1, "{%4}", "r"(c0));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1) {
  SLUICE_TMA_MULTICAST(2, "{%4, %5}", "r"(c0), "r"(c1));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2) {
  SLUICE_TMA_MULTICAST(3, "{%4, %5, %6}", "r"(c0), "r"(c1), "r"(c2));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2, int c3) {
  SLUICE_TMA_MULTICAST(4, "{%4, %5, %6, %7}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2, int c3, int c4) {
  SLUICE_TMA_MULTICAST(5, "{%4, %5, %6, %7, %8}", "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4));
}
#undef SLUICE_TMA_MULTICAST

// A box into L2; what is outside of the tensor is left out, and nothing tells of the end.
#define SLUICE_TMA_PREFETCH(rank, coordinates, ...)                                                \
  asm volatile("cp.async.bulk.prefetch.tensor." #rank "d.L2.global.tile [%0, " coordinates         \
               "];" ::"l"(&map),                                                                   \
               __VA_ARGS__)

__device__ __forceinline__ void tmaPrefetchBox(const TensorMap &map, int c0) {
  SLUICE_TMA_PREFETCH(1, "{%1}", "r"(c0));
}
__device__ __forceinline__ void tmaPrefetchBox(const TensorMap &map, int c0, int c1) {
  SLUICE_TMA_PREFETCH(2, "{%1, %2}", "r"(c0), "r"(c1));
}
__device__ __forceinline__ void tmaPrefetchBox(const TensorMap &map, int c0, int c1, int c2) {
  SLUICE_TMA_PREFETCH(3, "{%1, %2, %3}", "r"(c0), "r"(c1), "r"(c2));
}
__device__ __forceinline__ void tmaPrefetchBox(const TensorMap &map, int c0, int c1, int c2,
                                               int c3) {
  SLUICE_TMA_PREFETCH(4, "{%1, %2, %3, %4}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));
}
__device__ __forceinline__ void tmaPrefetchBox(const TensorMap &map, int c0, int c1, int c2, int c3,
                                               int c4) {
  SLUICE_TMA_PREFETCH(5, "{%1, %2, %3, %4, %5}", "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4));
}
#undef SLUICE_TMA_PREFETCH

#define SLUICE_TMA_STORE(instruction, rank, coordinates, ...)                                      \
  asm volatile(instruction "." #rank "d.global.shared::cta" SLUICE_TMA_KIND                        \
                           ".bulk_group [%0, " coordinates "], [%1];" ::"l"(&map),                 \
               "r"(from), __VA_ARGS__                                                              \
               : "memory")

#define SLUICE_TMA_STORES(name, instruction)                                                       \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0) {                   \
    SLUICE_TMA_STORE(instruction, 1, "{%2}", "r"(c0));                                             \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1) {           \
    SLUICE_TMA_STORE(instruction, 2, "{%2, %3}", "r"(c0), "r"(c1));                                \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2) {   \
    SLUICE_TMA_STORE(instruction, 3, "{%2, %3, %4}", "r"(c0), "r"(c1), "r"(c2));                   \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2,     \
                                       int c3) {                                                   \
    SLUICE_TMA_STORE(instruction, 4, "{%2, %3, %4, %5}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));      \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2,     \
                                       int c3, int c4) {                                           \
    SLUICE_TMA_STORE(instruction, 5, "{%2, %3, %4, %5, %6}", "r"(c0), "r"(c1), "r"(c2), "r"(c3),   \
                     "r"(c4));                                                                     \
  }

// Clipped at the extents of the tensor; member of the thread's bulk group.
#define SLUICE_TMA_KIND ".tile"
SLUICE_TMA_STORES(tmaStoreBox, "cp.async.bulk.tensor")
#undef SLUICE_TMA_KIND
// Adds to what is there.
#define SLUICE_TMA_KIND ".add.tile"
SLUICE_TMA_STORES(tmaAddBox, "cp.reduce.async.bulk.tensor")
#undef SLUICE_TMA_KIND
#undef SLUICE_TMA_STORES
#undef SLUICE_TMA_STORE

/// PTX ISA "cp.async.bulk": pieces of 16 bytes of a tensor to shared memory.
__device__ __forceinline__ void bulkLoad(u32 to, u64 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
               "[%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
/// The same: shared memory to that of a peer, whose barrier counts the bytes. All
/// addresses but `from` are of the cluster.
__device__ __forceinline__ void bulkCopyToPeer(u32 to, u32 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], "
               "%2, [%3];" ::"r"(to),
               "r"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

#endif // SLUICE_VALUES

/// `boxes` boxes side by side along the contiguous dimension, `step` elements each; a box's copy in
/// shared memory starts `chunk` bytes after the one before.
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaLoad(u32 to, const TensorMap &map, u32 barrier, int c0,
                                        Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaLoadBox(to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaMulticast(u32 mask, u32 to, const TensorMap &map, u32 barrier,
                                             int c0, Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaMulticastBox(u16(mask), to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, class... Coordinates>
__device__ __forceinline__ void prefetchBoxes(const TensorMap &map, int c0, Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaPrefetchBox(map, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaStore(const TensorMap &map, u32 from, int c0,
                                         Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaStoreBox(map, from + i * chunk, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaAdd(const TensorMap &map, u32 from, int c0,
                                       Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaAddBox(map, from + i * chunk, c0 + i * step, others...);
}

} // namespace sluice
