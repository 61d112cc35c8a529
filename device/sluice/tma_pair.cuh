// Tensor copies of sm_100a whose bytes complete on a barrier of either CTA of a pair
// (.cta_group::2). Included by the text that has one. PTX ISA "cp.async.bulk.tensor".
#pragma once

#include <sluice/tma_policy.cuh>

namespace sluice {

#if defined(SLUICE_HOST) || defined(SLUICE_VALUES)

template <int boxes, int step, int chunk, class... Arguments>
void tmaLoadOfPair(const Arguments &...arguments) {
  tmaLoad<boxes, step, chunk>(arguments...);
}

#else

// Coordinates are the first five operands; `hint` and `policy`: of tma_policy.cuh, or nothing.
#define SLUICE_TMA_PAIR(dims, at, hint, policy, ...)                                               \
  asm volatile("cp.async.bulk.tensor." dims ".shared::cluster.global.tile"                         \
               ".mbarrier::complete_tx::bytes.cta_group::2" hint " [%5], [%6, " at                 \
               "], [%7]" policy ";" ::"r"(c[0]),                                                   \
               "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(to), "l"(&map),                     \
               "r"(barrier)__VA_ARGS__                                                             \
               : "memory")
#define SLUICE_TMA_PAIR_BOX(hint, policy, ...)                                                     \
  const int c[5] = {coordinates...};                                                               \
  constexpr int rank = sizeof...(coordinates);                                                     \
  static_assert(rank >= 1 && rank <= 5, "dimensions of a tensor map");                             \
  if constexpr (rank == 1)                                                                         \
    SLUICE_TMA_PAIR("1d", "{%0}", hint, policy, __VA_ARGS__);                                      \
  else if constexpr (rank == 2)                                                                    \
    SLUICE_TMA_PAIR("2d", "{%0, %1}", hint, policy, __VA_ARGS__);                                  \
  else if constexpr (rank == 3)                                                                    \
    SLUICE_TMA_PAIR("3d", "{%0, %1, %2}", hint, policy, __VA_ARGS__);                              \
  else if constexpr (rank == 4)                                                                    \
    SLUICE_TMA_PAIR("4d", "{%0, %1, %2, %3}", hint, policy, __VA_ARGS__);                          \
  else                                                                                             \
    SLUICE_TMA_PAIR("5d", "{%0, %1, %2, %3, %4}", hint, policy, __VA_ARGS__)

template <class... Coordinates>
__device__ __forceinline__ void tmaLoadBoxOfPair(u32 to, const TensorMap &map, u32 barrier,
                                                 Coordinates... coordinates) {
  SLUICE_TMA_PAIR_BOX("", "", );
}
template <class... Coordinates>
__device__ __forceinline__ void tmaLoadBoxOfPair(CachePolicy policy, u32 to, const TensorMap &map,
                                                 u32 barrier, Coordinates... coordinates) {
  SLUICE_TMA_PAIR_BOX(".L2::cache_hint", ", %8", , "l"(policy.bits));
}
#undef SLUICE_TMA_PAIR_BOX
#undef SLUICE_TMA_PAIR

/// Boxes side by side, as in tma.cuh. `barrier`: an address of the cluster.
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaLoadOfPair(u32 to, const TensorMap &map, u32 barrier, int c0,
                                              Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaLoadBoxOfPair(to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaLoadOfPair(CachePolicy policy, u32 to, const TensorMap &map,
                                              u32 barrier, int c0, Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaLoadBoxOfPair(policy, to + i * chunk, map, barrier, c0 + i * step, others...);
}

#endif

} // namespace sluice
