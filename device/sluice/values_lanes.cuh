// The lanes of a warp in value mode: what they exchange, and who is elected.
#pragma once

#include <sluice/base.cuh>

namespace sluice {
namespace values {

template <class T> struct Exchanged {
  T has;
  int from;
  T got;
};
template <class T> void exchange(void *const *lanes) {
  for (int i = 0; i < 32; ++i) {
    auto &mine = *static_cast<Exchanged<T> *>(lanes[i]);
    mine.got = static_cast<const Exchanged<T> *>(lanes[mine.from])->has;
  }
}
inline void allOf(void *const *lanes) {
  bool all = true;
  for (int i = 0; i < 32; ++i)
    all &= *static_cast<bool *>(lanes[i]);
  for (int i = 0; i < 32; ++i)
    *static_cast<bool *>(lanes[i]) = all;
}
inline void nothing(void *const *) {}

} // namespace values
} // namespace sluice

template <class T> T __shfl_sync(unsigned, T x, int lane) {
  sluice::values::Exchanged<T> mine{x, lane & 31, x};
  sluice::machine().together(sluice::values::exchange<T>, &mine);
  return mine.got;
}
template <class T> T __shfl_xor_sync(unsigned, T x, int mask) {
  return __shfl_sync(0, x, int(threadIdx.x % 32) ^ mask);
}
inline bool __all_sync(unsigned, bool x) {
  sluice::machine().together(sluice::values::allOf, &x);
  return x;
}
inline void __syncwarp() {
  sluice::machine().together(sluice::values::nothing, nullptr);
}

namespace sluice {

inline int warpOfCta() {
  return int(threadIdx.x / 32);
}
inline int laneOfWarp() {
  return int(threadIdx.x % 32);
}
inline u32 sharedAddress(const void *p) {
  return u32(__cvta_generic_to_shared(p));
}
inline u32 addressInCluster(u32 address, u32 rank) {
  return machine().addressInCluster(address, rank);
}
inline int clusterRank() {
  return machine().clusterRank();
}
inline bool electLane() {
  __syncwarp();
  return laneOfWarp() == values::electedLane;
}

} // namespace sluice
