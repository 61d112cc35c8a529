// Host mode: with SLUICE_HOST defined the host's compiler takes a printed kernel as it is, and
// every warp runs as two fibers. Barriers, counters and numbers that steer are real, the elements
// of tiles are not. What a warp does is written down, one line an operation: with barriers as
// @bytes in shared memory and tiles as [begin,end). A line that only a wait can reach comes after
// that wait has been passed; warps that can never go on end the program.
#pragma once

#include <sluice/blocked.cuh>
#include <sluice/copy.cuh>
#include <sluice/cursor.cuh>
#include <sluice/fragment.cuh>
#include <sluice/host_sync.cuh>
#include <sluice/integer.cuh>
#include <sluice/lines.cuh>
#include <sluice/number.cuh>
#include <sluice/parts.cuh>
#include <sluice/shared_tile.cuh>
#include <sluice/tensor_lines.cuh>

namespace sluice {

/// A tensor map: the tensor's name, the bytes of one box in shared memory, and those that a load of
/// it completes, which are fewer of packed numbers.
struct TensorMap {
  const char *tensor;
  u32 boxBytes, loadedBytes;
};

namespace host_mode {

/// Bytes that some elements of a tile touch.
struct Range {
  u32 begin = ~0u, end = 0;
  void add(u32 at, u32 bytes) {
    begin = std::min(begin, at);
    end = std::max(end, at + bytes);
  }
};

} // namespace host_mode

// ---- Records of what happens

struct Stamp;
template <u32 kept> struct Stamps {
  Stamps(Stamp *, u32) {}
  void begin() {}
  void end(u32 event) { grid().say("event %u", event); }
  void finish() {}
};
template <u32 kept> struct Checksums {
  explicit Checksums(u64 *) {}
  void slot(u32 address, u32 bytes) { grid().say("sum [%u,%u)", address, address + bytes); }
  void finish() {}
};

// ---- Tensor copies: they end at once

template <class... Coordinates> std::string coordinatesText(Coordinates... c) {
  std::string text;
  ((text += " " + std::to_string(c)), ...);
  return text;
}
/// A hint: no operation of the barrier level.
inline void tmaPrefetch(const TensorMap &) {}
template <int boxes, int step, int chunk>
host_mode::Range boxRange(u32 from, const TensorMap &map) {
  host_mode::Range range;
  for (int i = 0; i < boxes; ++i)
    range.add(from + u32(i * chunk), map.boxBytes);
  return range;
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaLoad(u32 to, const TensorMap &map, u32 barrier, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(to, map);
  const InCluster at(barrier);
  const std::string remote = barrier >> 20 ? " of " + std::to_string(at.rank) : "";
  grid().say("load %s%s to [%u,%u) bytes %u @%u%s", map.tensor, coordinatesText(c...).c_str(),
             range.begin, range.end, boxes * map.loadedBytes, at.address, remote.c_str());
  arriveAt(at.address, at.rank, 0, -i64(boxes) * map.loadedBytes);
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaMulticast(u32 mask, u32 to, const TensorMap &map, u32 barrier, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(to, map);
  grid().say("load %s%s to [%u,%u) bytes %u @%u mask %u", map.tensor, coordinatesText(c...).c_str(),
             range.begin, range.end, boxes * map.loadedBytes, barrier, mask);
  for (int rank = 0; rank < int(grid().cluster().ctas.size()); ++rank)
    if (mask >> rank & 1)
      arriveAt(barrier, rank, 0, -i64(boxes) * map.loadedBytes);
}
template <int boxes, int step, class... Coordinates>
void prefetchBoxes(const TensorMap &map, Coordinates... c) {
  grid().say("prefetch %s%s", map.tensor, coordinatesText(c...).c_str());
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaStore(const TensorMap &map, u32 from, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(from, map);
  grid().say("store %s%s from [%u,%u)", map.tensor, coordinatesText(c...).c_str(), range.begin,
             range.end);
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaAdd(const TensorMap &map, u32 from, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(from, map);
  grid().say("add %s%s from [%u,%u)", map.tensor, coordinatesText(c...).c_str(), range.begin,
             range.end);
}

inline void bulkCopyToPeer(u32 to, u32 from, u32 bytes, u32 barrier) {
  const InCluster place(to), at(barrier);
  grid().say("send [%u,%u) to [%u,%u) @%u of %d", from, from + bytes, place.address,
             place.address + bytes, at.address, at.rank);
  arriveAt(at.address, at.rank, 0, -i64(bytes));
}

// ---- Products

template <class TileType, bool major> struct SharedOperand {
  using Tile = TileType;
  u32 base;
  int mn, k;
  SharedOperand from(int moreMn, int moreK) const { return {base, mn + moreMn, k + moreK}; }
  host_mode::Range range(int mns, int ks) const {
    constexpr int size = int(sizeof(typename Tile::Element));
    host_mode::Range range;
    for (int i = mn; i < mn + mns; ++i)
      for (int j = k; j < k + ks; ++j)
        range.add(base +
                      (major ? Tile::offsetInLine(i, j * size) : Tile::offsetInLine(j, i * size)),
                  size);
    return range;
  }
};
template <class Tile, int slotBytes>
SharedOperand<Tile, true> kMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return {buffer[slot], 0, 0};
}
template <class Tile, int slotBytes>
SharedOperand<Tile, false> mnMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return {buffer[slot], 0, 0};
}
struct RegisterOperand {};
template <class Frag> RegisterOperand inRegisters(const Frag &, int = 0) {
  return {};
}
template <int sync = 0, class... Frags> void wgmmaFence(Frags &...) {
  grid().say("wgmma fence");
}
template <int sync = 0> void wgmmaCommit() {
  grid().say("wgmma commit");
}
template <int pending, int sync = 0, class... Frags> void wgmmaWait(Frags &...) {
  grid().say("wgmma wait %d", pending);
}
template <int K, int warpgroups, class D, int N, int blocks, class A, bool aMajor, class B,
          bool bMajor>
void wgmma(Fragment<D, N, blocks> &, SharedOperand<A, aMajor> a, SharedOperand<B, bMajor> b,
           bool accumulate, int warpgroup) {
  host_mode::Range rows; // those of this warp: a fragment has 16 of the 64
  const int ofWarp = 16 * (warpOfCta() % 4);
  for (int block = 0; block < blocks; ++block) {
    const auto part = a.from(64 * (block * warpgroups + warpgroup) + ofWarp, 0).range(16, K);
    rows.add(part.begin, part.end - part.begin);
  }
  const auto columns = b.range(N, K);
  grid().say("wgmma a [%u,%u) b [%u,%u) %d", rows.begin, rows.end, columns.begin, columns.end,
             int(accumulate));
}
template <int K, int N, int blocks, class B, bool bMajor>
void wgmma(Fragment<float, N, blocks> &, RegisterOperand, SharedOperand<B, bMajor> b,
           bool accumulate) {
  const auto columns = b.range(N, K);
  grid().say("wgmma b [%u,%u) %d", columns.begin, columns.end, int(accumulate));
}

// ---- Text of the author, which this mode leaves out

inline std::string operandText(u32 tile) {
  return " [" + std::to_string(tile) + "]";
}
inline std::string operandText(int scalar) {
  return " " + std::to_string(scalar);
}
template <class Fragment> std::string operandText(const Fragment &) {
  return " in registers";
}
/// "tile, step": the names of its operands.
template <class... Operands> void rawText(const char *names, const Operands &...operands) {
  std::string places;
  ((places += operandText(operands)), ...);
  grid().say("raw text of %s:%s", names, places.c_str());
}

// ---- Copies of registers and of threads

template <class Tile, int warps, class Frag>
host_mode::Range fragmentRange(u32 to, int row0, int col0, int warp) {
  host_mode::Range range;
  for (int block = 0; block < Frag::rowBlocks; ++block)
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < Frag::columns; ++c) {
        const int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + r;
        range.add(to + Tile::offset(row0 + row, col0 + c), sizeof(typename Tile::Element));
      }
  return range;
}
template <class Tile, int warps, class Frag>
void storeFragmentShared(u32 to, int row0, int col0, const Frag &, int warp) {
  const auto range = fragmentRange<Tile, warps, Frag>(to, row0, col0, warp);
  grid().say("stage [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class Frag>
void storeFragmentMatrices(u32 to, int row0, int col0, const Frag &f, int warp) {
  storeFragmentShared<Tile, warps>(to, row0, col0, f, warp);
}
template <class Tile, int warps, class Frag>
void storeFragmentTransposed(u32 to, int row0, int col0, const Frag &f, int warp) {
  storeFragmentShared<Tile, warps>(to, row0, col0, f, warp);
}
template <class Tile, int warps, class Frag>
void loadFragmentShared(Frag &, u32 from, int row0, int col0, int warp) {
  const auto range = fragmentRange<Tile, warps, Frag>(from, row0, col0, warp);
  grid().say("read [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class Frag>
void loadFragmentMatrices(Frag &f, u32 from, int row0, int col0, int warp) {
  loadFragmentShared<Tile, warps>(f, from, row0, col0, warp);
}
template <class Tile, int warps, class Frag>
void loadFragmentTransposed(Frag &f, u32 from, int row0, int col0, int warp) {
  loadFragmentShared<Tile, warps>(f, from, row0, col0, warp);
}
template <class Tile, int warps, class Frag>
void storeFragmentToPeer(u32 to, int row0, int col0, const Frag &, u32 barrier, int warp) {
  const InCluster place(to), at(barrier);
  const auto range = fragmentRange<Tile, warps, Frag>(place.address, row0, col0, warp);
  grid().say("send to [%u,%u) @%u of %d", range.begin, range.end, at.address, at.rank);
  constexpr int elements = 16 * Frag::rowBlocks * Frag::columns; // of the warp
  if (grid().speaks())
    arriveAt(at.address, at.rank, 0, -i64(elements) * i64(sizeof(typename Tile::Element)));
}
template <int blocks> struct ColumnOfRows { static constexpr int rowBlocks = blocks, columns = 1; };
template <class Tile, int warps, class T, int blocks>
void storeRowVectorShared(u32 to, int row0, int col0, const RowVector<T, blocks> &, int warp) {
  storeFragmentShared<Tile, warps>(to, row0, col0, ColumnOfRows<blocks>{}, warp);
}
template <class Tile, int warps, class T, int blocks>
void loadRowVectorShared(RowVector<T, blocks> &, u32 from, int row0, int col0, int warp) {
  ColumnOfRows<blocks> column;
  loadFragmentShared<Tile, warps>(column, from, row0, col0, warp);
}
template <class Tile, int warps, int blocks>
void storeRowVectorToPeer(u32 to, int row0, int col0, const RowVector<float, blocks> &, u32 barrier,
                          int warp) {
  storeFragmentToPeer<Tile, warps>(to, row0, col0, ColumnOfRows<blocks>{}, barrier, warp);
}
template <class T> std::string tensorOf(const Window<T> &w) {
  const std::string integers = host_mode::Integers::tensor(w.base);
  return integers.empty() ? host_mode::Place::text(w.base) : integers;
}
template <class T> void sayWindow(const char *verb, const Window<T> &w) {
  grid().say("%s %s %d %d", verb, tensorOf(w).c_str(), w.row, w.col);
}
template <int warps, int bytes, class T, class Frag>
void storeFragment(const Window<T> &w, const Frag &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Frag> void loadFragment(Frag &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int warps, class T, class Frag>
void storeRowVector(const Window<T> &w, const Frag &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Frag> void loadRowVector(Frag &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <class T, class Frag> void loadColVector(Frag &, const Window<T> &w) {
  sayWindow("fetch", w);
}
template <class Tile, class Rows>
host_mode::Range blockedRange(u32 to, int row0, int col0, int warp) {
  host_mode::Range range;
  for (int r = 0; r < Rows::rowsOfWarp; ++r)
    for (int c = 0; c < Rows::columns; ++c)
      range.add(to + Tile::offset(row0 + blockedRow<Rows::rowsOfWarp>(r, warp), col0 + c),
                sizeof(typename Tile::Element));
  return range;
}
template <class Tile, int warps, class Rows>
void storeBlockedShared(u32 to, int row0, int col0, const Rows &, int warp) {
  const auto range = blockedRange<Tile, Rows>(to, row0, col0, warp);
  grid().say("stage [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class Rows>
void loadBlockedShared(Rows &, u32 from, int row0, int col0, int warp) {
  const auto range = blockedRange<Tile, Rows>(from, row0, col0, warp);
  grid().say("read [%u,%u)", range.begin, range.end);
}
/// Whole lines: who reads of one reads its head, which all lines of a span have in common.
template <class T, int rows, int cols, bool shifted>
host_mode::Range touched(LinesTile<T, rows, cols, shifted> tile, u32 at, int line0, int lines) {
  host_mode::Range range;
  range.add(at + tile.line(line0), u32(lines * tile.lineBytes));
  return range;
}
template <class T, int rows, int cols, int width, bool shifted>
host_mode::Range touched(SpanTile<T, rows, cols, width, shifted> tile, u32 at, int, int) {
  host_mode::Range range;
  range.add(at, u32(tile.bytes));
  return range;
}
template <class Tile> host_mode::Range wholeLines(u32 at, int line0, int lines) {
  return touched(Tile(), at, line0, lines);
}
template <class Tile, int warps, class Rows>
void loadBlockedLines(Rows &, u32 from, int row0, int, int warp) {
  constexpr int rows = Rows::rowsOfWarp;
  const auto range = wholeLines<Tile>(from, row0 + blockedRow<rows>(0, warp), rows);
  grid().say("read [%u,%u)", range.begin, range.end);
}
template <class Tile, int lines, class T>
void loadLines(u32 to, int line0, const Window<T> &w, u32 barrier) {
  constexpr u32 bytes = u32(lines * Tile::columns) * u32(sizeof(T));
  const auto range = wholeLines<Tile>(to, line0, lines);
  grid().say("lines %s %d %d to [%u,%u) bytes %u @%u", tensorOf(w).c_str(), w.row, w.col,
             range.begin, range.end, bytes, barrier);
  arriveAt(barrier, clusterRank(), 0, -i64(bytes));
}
/// Of a row in parts: as of a window of the row, whose lines are the parts.
template <class T> Window<T> windowOf(const PartsOfRow<T> &w) {
  return {w.begin(), 0, w.width, w.width, 1, w.part, w.col};
}
template <class Tile, int lines, class T>
void loadLines(u32 to, int line0, const PartsOfRow<T> &w, u32 barrier) {
  loadLines<Tile, lines>(to, line0, windowOf(w), barrier);
}
template <int warps, int bytes, class T, class Rows>
void storeBlocked(const PartsOfRow<T> &w, const Rows &, int) {
  sayWindow("write", windowOf(w));
}
template <int warps, class T, class Rows>
void storeBlockedShifted(const PartsOfRow<T> &w, const Rows &, int) {
  sayWindow("write", windowOf(w));
}
template <int warps, int bytes, class T, class Rows>
void loadBlocked(Rows &, const PartsOfRow<T> &w, int) {
  sayWindow("fetch", windowOf(w));
}
/// Of lines of a tensor: as of a window of them.
template <class T> Window<T> windowOf(const LinesOfTensor<T> &w) {
  return {w.base, 0, w.width, w.width, 1, w.line, w.col};
}
template <class Tile, int lines, class T>
void loadLines(u32 to, int line0, const LinesOfTensor<T> &w, u32 barrier) {
  loadLines<Tile, lines>(to, line0, windowOf(w), barrier);
}
template <int warps, int bytes, class T, class Rows>
void storeBlocked(const LinesOfTensor<T> &w, const Rows &, int) {
  sayWindow("write", windowOf(w));
}
template <int warps, int bytes, class T, class Rows>
void loadBlocked(Rows &, const LinesOfTensor<T> &w, int) {
  sayWindow("fetch", windowOf(w));
}
template <class Tile, class Place> void loadSpan(u32 to, const Place &place, u32 barrier) {
  const auto w = windowOf(place);
  const auto range = wholeLines<Tile>(to, 0, Tile::lines);
  constexpr u32 bytes = u32(Tile::lines * Tile::columns) * u32(sizeof(typename Tile::Element));
  grid().say("span %s %d %d to [%u,%u) bytes %u @%u", tensorOf(w).c_str(), w.row, w.col,
             range.begin, range.end, bytes, barrier);
  arriveAt(barrier, clusterRank(), 0, -i64(bytes));
}
template <class Tile, int warps, class T, int rows>
void storeBlockedRowVectorShared(u32 to, int row0, int col0, const BlockedRowVector<T, rows> &,
                                 int warp) {
  host_mode::Range range;
  for (int r = 0; r < rows; ++r)
    range.add(to + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
              sizeof(typename Tile::Element));
  grid().say("stage [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class T, int rows>
void storeBlockedRowVectorToPeer(u32 to, int row0, int col0, const BlockedRowVector<T, rows> &,
                                 u32 barrier, int warp) {
  const InCluster place(to), at(barrier);
  host_mode::Range range;
  for (int r = 0; r < rows; ++r)
    range.add(place.address + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
              sizeof(typename Tile::Element));
  grid().say("send to [%u,%u) @%u of %d", range.begin, range.end, at.address, at.rank);
  if (grid().speaks())
    arriveAt(at.address, at.rank, 0, -i64(rows) * i64(sizeof(typename Tile::Element)));
}
template <class Tile, int bytes, class T, int N>
void loadBlockedColVectorShared(BlockedColVector<T, N> &, u32 from, int row0, int col0) {
  host_mode::Range range;
  for (int c = 0; c < N; ++c)
    range.add(from + Tile::offset(row0 + c, col0), sizeof(typename Tile::Element));
  grid().say("read [%u,%u)", range.begin, range.end);
}
template <int warps, int bytes, class T, class Rows>
void storeBlocked(const Window<T> &w, const Rows &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Rows>
void storeBlockedShifted(const Window<T> &w, const Rows &, int) {
  sayWindow("write", w);
}
template <int warps, int bytes, class T, class Rows>
void loadBlocked(Rows &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int warps, class T, class Rows> void loadBlockedShifted(Rows &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int warps, class T, class Rows>
void storeBlockedRowVector(const Window<T> &w, const Rows &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Rows>
void loadBlockedRowVector(Rows &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int bytes, class T, class Rows> void loadBlockedColVector(Rows &, const Window<T> &w) {
  sayWindow("fetch", w);
}
/// The lines of the warp.
template <class Tile, int lines, int along, int threads>
host_mode::Range linesRange(u32 to, int line0, int along0, int thread) {
  constexpr int size = int(sizeof(typename Tile::Element));
  const LinesOfWarp<lines, threads> own(thread);
  host_mode::Range range;
  for (int l = own.begin; l < own.end; ++l)
    for (int a = along0; a < along0 + along; ++a)
      range.add(to + Tile::offsetInLine(line0 + l, a * size), size);
  return range;
}
template <class Tile, int rows, int cols, int threads, class X>
void fillTile(u32 to, int row0, int col0, X, int thread) {
  const LinesOfWarp<rows, threads> own(thread);
  host_mode::Range range;
  for (int r = own.begin; r < own.end; ++r)
    for (int c = col0; c < col0 + cols; ++c)
      range.add(to + Tile::offset(row0 + r, c), sizeof(typename Tile::Element));
  grid().say("fill [%u,%u)", range.begin, range.end);
}
template <int lines, int along, int threads, class T> void prefetchTile(const Window<T> &w, int) {
  grid().say("prefetch %s %d %d", tensorOf(w).c_str(), w.row, w.col);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void loadTile(u32 to, int line0, int along0, const Window<T> &w, int thread) {
  const auto range = linesRange<Tile, lines, along, threads>(to, line0, along0, thread);
  grid().say("copy %s %d %d to [%u,%u)", tensorOf(w).c_str(), w.row, w.col, range.begin, range.end);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void loadTileAsync(u32 to, int line0, int along0, const Window<T> &w, int thread) {
  loadTile<Tile, lines, along, bytes, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void gatherTile(u32 to, int line0, int along0, const Window<T> &w, const RowNumbers &, int thread) {
  loadTile<Tile, lines, along, bytes, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void gatherTileAsync(u32 to, int line0, int along0, const Window<T> &w, const RowNumbers &,
                     int thread) {
  loadTile<Tile, lines, along, bytes, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int threads, class T>
void loadTileShifted(u32 to, int line0, int along0, const Window<T> &w, int thread) {
  loadTile<Tile, lines, along, 16, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int threads, class T>
void loadLinesShifted(u32 to, int line0, int along0, const Window<T> &w, int thread) {
  loadTile<Tile, lines, along, 16, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void storeTile(const Window<T> &w, u32 from, int line0, int along0, int thread) {
  const auto range = linesRange<Tile, lines, along, threads>(from, line0, along0, thread);
  grid().say("copy [%u,%u) to %s %d %d", range.begin, range.end, tensorOf(w).c_str(), w.row, w.col);
}

} // namespace sluice
