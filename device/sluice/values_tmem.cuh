// Tensor memory in value mode: everything has ended when it was started.
#pragma once

#include <sluice/base.cuh>

namespace sluice {
namespace values {

struct Columns {
  u32 address, count;
};
inline void allocate(void *const *lanes) {
  const auto &c = *static_cast<const Columns *>(lanes[0]);
  machine().allocateColumns(c.address, c.count);
}
inline void release(void *const *lanes) {
  const auto &c = *static_cast<const Columns *>(lanes[0]);
  machine().freeColumns(c.address, c.count);
}

} // namespace values

template <int columns, int ctas = 1> void tmemAlloc(u32 address) {
  values::Columns mine{address, columns};
  machine().together(values::allocate, &mine);
}
template <int ctas = 1> void tmemRelinquish() {}
template <int columns, int ctas = 1> void tmemDealloc(u32 tmem) {
  values::Columns mine{tmem, columns};
  machine().together(values::release, &mine);
}
template <int sync = 0> void fenceTmemBefore() {}
template <int sync = 0> void fenceTmemAfter() {}
template <int sync = 0, class... Tiles> void tmemWait(Tiles &...) {}

template <class T> void tmemLoadWords(T *to, u32 from, int count) {
  static_assert(sizeof(T) == 4, "columns of 32 bits");
  for (int i = 0; i < count; ++i) {
    const u32 word = machine().column(from + (u32(laneOfWarp()) << 16) + u32(i));
    __builtin_memcpy(to + i, &word, 4);
  }
}
template <int sync = 0> void tmemWaitStores() {}
template <class T> void tmemStoreWords(u32 to, const T *from, int count) {
  static_assert(sizeof(T) == 4, "columns of 32 bits");
  for (int i = 0; i < count; ++i) {
    u32 word;
    __builtin_memcpy(&word, from + i, 4);
    machine().setColumn(to + (u32(laneOfWarp()) << 16) + u32(i), word);
  }
}
template <class T> void tmemStore8(u32 to, const T *from) {
  tmemStoreWords(to, from, 8);
}
template <class T> void tmemStore32(u32 to, const T *from) {
  tmemStoreWords(to, from, 32);
}
template <class T> void tmemLoad8(T *to, u32 from) {
  tmemLoadWords(to, from, 8);
}
template <class T> void tmemLoad32(T *to, u32 from) {
  tmemLoadWords(to, from, 32);
}

} // namespace sluice
