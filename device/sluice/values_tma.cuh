// Tensor copies and bulk copies in value mode.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

inline void tmaPrefetch(const TensorMap &) {}

template <class... Coordinates>
void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, Coordinates... coordinates) {
  const int at[] = {coordinates...};
  machine().loadBox(map, at, sizeof...(coordinates), to, barrier, 0);
}
template <class... Coordinates>
void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                     Coordinates... coordinates) {
  const int at[] = {coordinates...};
  machine().loadBox(map, at, sizeof...(coordinates), to, barrier, mask);
}
template <class... Coordinates>
void tmaPrefetchBox(const TensorMap &map, Coordinates... coordinates) {
  const int at[] = {coordinates...};
  machine().prefetchBox(map, at, sizeof...(coordinates));
}
template <class... Coordinates>
void tmaStoreBox(const TensorMap &map, u32 from, Coordinates... coordinates) {
  const int at[] = {coordinates...};
  machine().storeBox(map, at, sizeof...(coordinates), from, false);
}
template <class... Coordinates>
void tmaAddBox(const TensorMap &map, u32 from, Coordinates... coordinates) {
  const int at[] = {coordinates...};
  machine().storeBox(map, at, sizeof...(coordinates), from, true);
}

/// In pieces of 16 bytes.
inline void bulkLoad(u32 to, u64 from, u32 bytes, u32 barrier) {
  machine().require(bytes % 16 == 0, "a bulk copy of other than whole pieces of 16 bytes");
  machine().checkGlobal(reinterpret_cast<const void *>(from), bytes, 16);
  for (u32 i = 0; i < bytes; i += 16)
    std::memcpy(machine().sharedOfCluster(to + i, 16), reinterpret_cast<const void *>(from + i),
                16);
  machine().arrive(barrier, 0, -i64(bytes));
}
inline void bulkCopyToPeer(u32 to, u32 from, u32 bytes, u32 barrier) {
  machine().require(bytes % 16 == 0, "a bulk copy of other than whole pieces of 16 bytes");
  for (u32 i = 0; i < bytes; i += 16)
    std::memcpy(machine().sharedOfCluster(to + i, 16), machine().shared(from + i, 16), 16);
  machine().arrive(barrier, 0, -i64(bytes));
}

} // namespace sluice
