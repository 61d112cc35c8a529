// Host mode, tensor memory: its address is a number in shared memory, its elements are not real.
// See host_mode.cuh.
#pragma once

#include <sluice/host_mode.cuh>

namespace sluice {

constexpr const char *ofCtas(int ctas) {
  return ctas == 2 ? " pair" : "";
}

template <int columns, int ctas = 1> void tmemAlloc(u32 address) {
  grid().here().numbers[address] = 0;
  grid().say("tmem alloc %d to [%u]%s", columns, address, ofCtas(ctas));
}
template <int ctas = 1> void tmemRelinquish() {
  grid().say("tmem relinquish%s", ofCtas(ctas));
}
template <int columns, int ctas = 1> void tmemDealloc(u32 tmem) {
  grid().say("tmem dealloc %d at %u%s", columns, tmem, ofCtas(ctas));
}
inline u32 tmemAddress(u32 address) {
  grid().say("tmem address of [%u]", address);
  return u32(grid().here().numbers[address]);
}
template <int sync = 0> void fenceTmemBefore() {
  grid().say("fence tmem before");
}
template <int sync = 0> void fenceTmemAfter() {
  grid().say("fence tmem after");
}
template <int sync = 0, class... Tiles> void tmemWait(Tiles &...) {
  grid().say("tmem wait");
}
template <int sync = 0> void tmemWaitStores() {
  grid().say("tmem wait stores");
}
template <class T, int N, int rows> void tmemStore(u32 to, const Lanes<T, N, rows> &, int warp) {
  grid().say("tmem store %d columns of lanes %d at %u", N, 32 * warp, to);
}
template <class T, int N, int rows> void tmemLoad(Lanes<T, N, rows> &, u32 from, int warp) {
  grid().say("tmem load %d columns of lanes %d at %u", N, 32 * warp, from);
}

template <int N, int K, int M = 128, int ctas = 1, class A, bool aMajor, class B, bool bMajor>
void tcgen05Mma(u32 d, SharedOperand<A, aMajor> a, SharedOperand<B, bMajor> b, bool accumulate) {
  const auto rows = a.range(M / ctas, K), columns = b.range(N / ctas, K);
  grid().say("mma at %u a [%u,%u) b [%u,%u) %d%s", d, rows.begin, rows.end, columns.begin,
             columns.end, int(accumulate), ofCtas(ctas));
}
template <int N, int K, int M = 128, int ctas = 1, class A, class B, bool bMajor>
void tcgen05Mma(u32 d, TmemOperand<A> a, SharedOperand<B, bMajor> b, bool accumulate) {
  const auto columns = b.range(N / ctas, K);
  grid().say("mma at %u a at %u b [%u,%u) %d%s", d, a.address, columns.begin, columns.end,
             int(accumulate), ofCtas(ctas));
}
inline void sayRows(u32 to, u32 from, u32 bytes, int ctas) {
  grid().say("tmem copy at %u from [%u,%u)%s", to, from, from + bytes, ofCtas(ctas));
}
template <int ctas = 1> void tmemCopyScales(u32 to, u32 from) {
  sayRows(to, from, 512, ctas);
}
template <int ctas = 1> void tmemCopyTwice(u32 to, u32 from) {
  sayRows(to, from, 1024, ctas);
}
template <int ctas = 1> void tmemCopyNeighbours(u32 to, u32 from) {
  sayRows(to, from, 1024, ctas);
}
template <int ctas = 1> void tmemCopyRows(u32 to, u32 from) {
  sayRows(to, from, 2048, ctas);
}
template <int columns, int ctas = 1, class A> void tmemCopy(u32 to, SharedOperand<A, true> from) {
  const auto rows = from.range(128, columns);
  sayRows(to, rows.begin, rows.end - rows.begin, ctas);
}
template <int columns, int ctas = 1, class A>
void tmemCopyFour(u32 to, SharedOperand<A, true> from) {
  const auto rows = from.range(4, columns);
  sayRows(to, rows.begin, rows.end - rows.begin, ctas);
}
template <int ctas = 1> void tmemShift(u32 columns) {
  grid().say("tmem shift at %u%s", columns, ofCtas(ctas));
}
template <int N, int K, class Factor = ue8m0, int ctas = 1, int M = 128 * ctas, class A, class B,
          bool bMajor>
void tcgen05MmaScaled(u32 d, TmemOperand<A> a, SharedOperand<B, bMajor> b, u32 scalesA, u32 scalesB,
                      bool accumulate) {
  const auto columns = b.range(N / ctas, K);
  grid().say("mma at %u a at %u b [%u,%u) scales at %u %u %d%s", d, a.address, columns.begin,
             columns.end, scalesA, scalesB, int(accumulate), ofCtas(ctas));
}
template <int N, int K, class Factor = ue8m0, int ctas = 1, int M = 128 * ctas, class A,
          bool aMajor, class B, bool bMajor>
void tcgen05MmaScaled(u32 d, SharedOperand<A, aMajor> a, SharedOperand<B, bMajor> b, u32 scalesA,
                      u32 scalesB, bool accumulate) {
  const auto rows = a.range(M / ctas, K), columns = b.range(N / ctas, K);
  grid().say("mma at %u a [%u,%u) b [%u,%u) scales at %u %u %d%s", d, rows.begin, rows.end,
             columns.begin, columns.end, scalesA, scalesB, int(accumulate), ofCtas(ctas));
}
/// Products have ended by now.
template <int ctas = 1, int sync = 0> void tcgen05Commit(u32 barrier) {
  grid().say("commit @%u%s", barrier, ofCtas(ctas));
  arriveAt(barrier, clusterRank(), 1, 0);
}
template <int ctas = 1, int sync = 0> void tcgen05CommitMulticast(u32 barrier, u16 mask) {
  grid().say("commit @%u to %u%s", barrier, u32(mask), ofCtas(ctas));
  for (int rank = 0; rank < 16; ++rank)
    if (mask >> rank & 1)
      arriveAt(barrier, rank, 1, 0);
}

template <class Tile, int warps, class T, int N, int rows>
void storeLanesShared(u32 to, int row0, int col0, const Lanes<T, N, rows> &, int warp) {
  host_mode::Range range;
  for (int r = rows * warp; r < rows * warp + rows; ++r)
    for (int c = 0; c < N; ++c)
      range.add(to + Tile::offset(row0 + r, col0 + c), sizeof(typename Tile::Element));
  grid().say("stage [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class T, int rows>
void loadLanesShared(Lanes<T, 1, rows> &, u32 from, int row0, int col0, int warp) {
  host_mode::Range range;
  for (int r = rows * warp; r < rows * warp + rows; ++r)
    range.add(from + Tile::offset(row0 + r, col0), sizeof(typename Tile::Element));
  grid().say("read [%u,%u)", range.begin, range.end);
}
template <int warps, int bytes, class T, class S, int N, int rows>
void loadLanes(Lanes<S, N, rows> &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int warps, int bytes, class T, class S, int N, int rows>
void storeLanes(const Window<T> &w, const Lanes<S, N, rows> &, int) {
  sayWindow("write", w);
}

} // namespace sluice
