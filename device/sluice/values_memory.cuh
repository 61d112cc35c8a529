// Loads and stores in value mode. Matrices of 8 x 8: lane l has two neighbours of row l / 4, from
// column 2 (l % 4) on.
#pragma once

#include <sluice/memory.cuh>

namespace sluice {

template <int bytes> Piece loadShared(u32 from) {
  Piece p{};
  std::memcpy(p.word, machine().shared(from, bytes), bytes);
  return p;
}
inline Piece loadSharedAgain(u32 from) {
  return loadShared<16>(from);
}
template <int bytes> void storeShared(u32 to, const Piece &p) {
  std::memcpy(machine().shared(to, bytes), p.word, bytes);
}
template <int bytes> void storeToPeer(u32 to, const Piece &p, u32 barrier) {
  static_assert(bytes == 4 || bytes == 8, "a word or two");
  std::memcpy(machine().sharedOfCluster(to, bytes), p.word, bytes);
  machine().arrive(barrier, 0, -i64(bytes));
}
template <int bytes> Piece loadGlobal(const void *from) {
  machine().checkGlobal(from, bytes, bytes);
  Piece p{};
  std::memcpy(p.word, from, bytes);
  return p;
}
template <int bytes> void storeGlobal(void *to, const Piece &p) {
  machine().checkGlobal(to, bytes, bytes);
  std::memcpy(to, p.word, bytes);
}
template <class T> T *asBase(T *at) {
  return at;
}
template <int bytes> void storeGlobalIf(bool so, void *to, const Piece &p) {
  if (so)
    storeGlobal<bytes>(to, p);
}
inline void prefetchL2(const void *at) {
  machine().checkGlobal(at, 1, 1);
}
template <int bytes> void cpAsync(u32 to, const void *from, int valid) {
  if (valid)
    machine().checkGlobal(from, u64(valid), bytes);
  unsigned char *const place = static_cast<unsigned char *>(machine().shared(to, bytes));
  std::memset(place, 0, bytes);
  std::memcpy(place, from, size_t(valid));
}

namespace values {

/// `count` matrices; lane 8m + r has the address of row r of matrix m.
struct Matrices {
  u32 address;
  int count;
  u32 x[4];
};
inline Matrices &matricesOf(void *lane) {
  return *static_cast<Matrices *>(lane);
}
/// Half `half` of what a lane has of a matrix.
inline u16 *half(void *lane, int matrix, int which) {
  return reinterpret_cast<u16 *>(&matricesOf(lane).x[matrix]) + which;
}
template <bool stores, bool transposed> void moveMatrices(void *const *lanes) {
  for (int m = 0; m < matricesOf(lanes[0]).count; ++m)
    for (int r = 0; r < 8; ++r) {
      u16 *const row =
          static_cast<u16 *>(machine().shared(matricesOf(lanes[8 * m + r]).address, 16));
      for (int c = 0; c < 8; ++c) {
        const int line = transposed ? c : r, at = transposed ? r : c;
        u16 *const own = half(lanes[4 * line + at / 2], m, at % 2);
        if (stores)
          std::memcpy(row + c, own, 2);
        else
          std::memcpy(own, row + c, 2);
      }
    }
}

} // namespace values

inline void storeMatrices(u32 to, u32 x0, u32 x1, u32 x2, u32 x3) {
  values::Matrices mine{to, 4, {x0, x1, x2, x3}};
  machine().together(values::moveMatrices<true, false>, &mine);
}
inline void storeTransposed(u32 to, u32 x0, u32 x1, u32 x2, u32 x3) {
  values::Matrices mine{to, 4, {x0, x1, x2, x3}};
  machine().together(values::moveMatrices<true, true>, &mine);
}
inline void storeTransposed(u32 to, u32 x0, u32 x1) {
  values::Matrices mine{to, 2, {x0, x1}};
  machine().together(values::moveMatrices<true, true>, &mine);
}
inline void loadMatrices(u32 from, u32 &x0, u32 &x1, u32 &x2, u32 &x3) {
  values::Matrices mine{from, 4, {}};
  machine().together(values::moveMatrices<false, false>, &mine);
  x0 = mine.x[0], x1 = mine.x[1], x2 = mine.x[2], x3 = mine.x[3];
}
inline void loadTransposed(u32 from, u32 &x0, u32 &x1, u32 &x2, u32 &x3) {
  values::Matrices mine{from, 4, {}};
  machine().together(values::moveMatrices<false, true>, &mine);
  x0 = mine.x[0], x1 = mine.x[1], x2 = mine.x[2], x3 = mine.x[3];
}
inline void loadTransposed(u32 from, u32 &x0, u32 &x1) {
  values::Matrices mine{from, 2, {}};
  machine().together(values::moveMatrices<false, true>, &mine);
  x0 = mine.x[0], x1 = mine.x[1];
}

} // namespace sluice
