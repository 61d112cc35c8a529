// Rows that may start at any element. On their way in bulk copies bring the pieces of 16 bytes that
// have a part of a row to shared memory as they lie, and who reads them shifts; on their way out
// lanes put pieces together from their own and those of the lane before.
#pragma once

#include <sluice/blocked.cuh>
#include <sluice/copy.cuh>
#ifndef SLUICE_HOST
#include <sluice/mbarrier.cuh>
#include <sluice/sync.cuh>
#include <sluice/tma.cuh>
#endif

namespace sluice {

/// Lines in shared memory: each has a head, which says how many bytes of its first piece lie before
/// it and how many elements it has, then the pieces, one more than its elements fill.
template <class T, int rows, int cols> struct LinesTile {
  using Element = T;
  static constexpr int columns = cols, margin = 16;
  static constexpr int lineBytes = cols * int(sizeof(T)) + 2 * margin;
  static_assert(cols * sizeof(T) % 16 == 0, "whole pieces");
  static __device__ __forceinline__ u32 line(int row) { return u32(row * lineBytes); }
};

#ifndef SLUICE_HOST

/// The elements of a tensor between two of its bytes.
template <class T> __device__ __forceinline__ void loadByElements(u32 to, u64 from, u64 end) {
  constexpr int size = int(sizeof(T));
  for (; from < end; from += size, to += size)
    storeShared<size>(to, loadGlobal<size>(reinterpret_cast<const void *>(from)));
}

/// By one thread: `lines` lines of the tensor, from line0 on in the slot at `to`. The barrier waits
/// for the bytes of the tile, which this completes, and then for those that it copies. Nobody
/// writes the tensor meanwhile: bytes around a line are read too, if the tensor has them; pieces
/// that reach out of it go by elements. copy(to, from, bytes) starts a bulk copy.
template <class Tile, int lines, class T, class Copy>
__device__ __forceinline__ void loadLinesBy(const Copy &copy, u32 to, int line0, const Window<T> &w,
                                            u32 barrier) {
  constexpr int size = int(sizeof(T)), along = Tile::columns;
  constexpr u64 inPiece = 15;
  const i64 stride = w.rowStride * size;
  const u64 begin = u64(w.base), end = begin + (w.rows - 1) * stride + i64(w.cols) * size;
  const u64 first = (begin + inPiece) & ~inPiece, behind = end & ~inPiece; // whole pieces
  const int most = min(max(w.cols - w.col, 0), along);
#pragma unroll 1
  for (int l = 0; l < lines; ++l) {
    const u32 line = to + Tile::line(line0 + l);
    const int count = inside(w.row + l, w.rows) ? most : 0;
    const u64 from = begin + (w.row + l) * stride + i64(w.col) * size, last = from + count * size;
    const u32 skip = u32(from & inPiece), at = line + Tile::margin + skip; // of the first element
    storeShared<8>(line, Piece{{skip, u32(count)}});
    if (count == 0)
      continue;
    u64 copied = max(from & ~inPiece, first), rest = min((last + inPiece) & ~inPiece, behind);
    if (copied < rest) {
      mbarrierExpectTx(barrier, u32(rest - copied));
      copy(at + u32(copied - from), copied, u32(rest - copied));
    } else {
      copied = rest = last;
    }
    if (copied > from || rest < last) { // other lines' copies come here later
      loadByElements<T>(at, from, min(copied, last));
      loadByElements<T>(at + u32(rest - from), rest, last);
      fenceProxyAsync();
    }
  }
  fenceCta(); // what it stored itself, before who waits reads it
  mbarrierCompleteTx(barrier, u32(lines * along * size));
}
template <class Tile, int lines, class T>
__device__ __forceinline__ void loadLines(u32 to, int line0, const Window<T> &w, u32 barrier) {
  const auto copy = [&](u32 at, u64 from, u32 bytes) { bulkLoad(at, from, bytes, barrier); };
  loadLinesBy<Tile, lines>(copy, to, line0, w, barrier);
}

/// Four words of two pieces, one behind the other, from byte 4 * words + bits / 8 on.
template <int words>
__device__ __forceinline__ Piece skipped(const Piece &low, const Piece &high, u32 bits) {
  const u32 word[9] = {low.word[0],  low.word[1],  low.word[2],
                       low.word[3],  high.word[0], high.word[1],
                       high.word[2], high.word[3], 0};
  Piece p;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    p.word[i] = __funnelshift_r(word[words + i], word[words + i + 1], bits);
  return p;
}

/// Eight neighbours of a row for every 256 columns.
template <class T, int N> struct RowOfLane { Eight<T> eight[N / 256]; };

/// A row, of which the pieces begin at `from`, 4 * words + bits / 8 bytes before its first element.
template <int words, class T, int N>
__device__ __forceinline__ void loadLine(RowOfLane<T, N> &row, u32 from, u32 bits) {
  constexpr int size = int(sizeof(T)), elements = 16 / size, pieces = 8 / elements;
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    Piece held[pieces + 1];
#pragma unroll
    for (int p = 0; p <= pieces; ++p)
      held[p] = loadShared<16>(from + u32((col + laneOfWarp() * 8) * size + p * 16));
#pragma unroll
    for (int p = 0; p < pieces; ++p)
      row.eight[col / 256].template take<16>(p * 16, skipped<words>(held[p], held[p + 1], bits));
  }
}

/// Its first `count` columns, zeros behind them.
template <class T, int N>
__device__ __forceinline__ void keepColumns(RowOfLane<T, N> &row, int count) {
  constexpr int size = int(sizeof(T)), elements = 16 / size;
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    if (col + 256 <= count)
      continue;
    Eight<T> &x = row.eight[col / 256];
#pragma unroll
    for (int e = 0; e < 8; e += elements) {
      const int left = count - col - laneOfWarp() * 8 - e;
      x.template take<16>(e * size, firstElements<size>(x.template piece<16>(e * size), left));
    }
  }
}

/// Lines of the slot at `from` -> registers, from (row0, col0) on; col0 is a multiple of 8.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedLines(Blocked<S, rows, N> &f, u32 from, int row0,
                                                 int col0, int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const u32 line = from + Tile::line(row0 + blockedRow<rows>(r, warp));
    const Piece head = loadShared<8>(line);
    const u32 at = line + u32(Tile::margin + col0 * int(sizeof(T)));
    const u32 words = head.word[0] / 4, bits = sizeof(T) < 4 ? head.word[0] % 4 * 8 : 0;
    RowOfLane<T, N> mine;
    if (words == 0)
      loadLine<0>(mine, at, bits);
    else if (words == 1)
      loadLine<1>(mine, at, bits);
    else if (words == 2)
      loadLine<2>(mine, at, bits);
    else
      loadLine<3>(mine, at, bits);
    keepColumns(mine, int(head.word[1]) - col0);
#pragma unroll
    for (int col = 0; col < N; col += 256)
      setEight(f, r * (N / 32) + col / 32, mine.eight[col / 256]);
  }
}

/// Words from `first` on of the piece of the lane before; lane 0 gets those of lane 31 in
/// `carried`.
template <int first>
__device__ __forceinline__ Piece pieceBefore(const Piece &own, const Piece &carried) {
  Piece p{};
#pragma unroll
  for (int i = first; i < 4; ++i)
    p.word[i] = __shfl_sync(0xffffffffu, laneOfWarp() == 31 ? carried.word[i] : own.word[i],
                            (laneOfWarp() + 31) % 32);
  return p;
}

/// Columns of a row that are stored in whole pieces, and those around them.
struct StoredColumns {
  int first, whole, rest, last;

  /// `lead` columns of a piece lie before column 0; of the row columns begin .. end - 1 are stored.
  __device__ __forceinline__ StoredColumns(int begin, int end, int lead, int elements)
      : first(begin), whole((begin + lead + elements - 1) / elements * elements - lead),
        rest((end + lead) / elements * elements - lead), last(end) {
    if (whole >= rest)
      whole = rest = end;
  }
  __device__ __forceinline__ bool isApart(int column) const {
    return first <= column && column < last && (column < whole || rest <= column);
  }
};

/// The whole pieces of row r of the warp's: 16 aligned bytes from 4 * words + bits / 8 bytes behind
/// the start of the piece of the lane before; words 4: they are the lanes' own. Columns count from
/// `line` on, where a piece begins.
template <int words, class T, class S, int rows, int N>
__device__ __forceinline__ void storeLine(T *line, const Blocked<S, rows, N> &f, int r, u32 bits,
                                          int lead, const StoredColumns &columns) {
  constexpr int size = int(sizeof(T)), elements = 16 / size, pieces = 8 / elements;
  const int mine = laneOfWarp() * 8 - lead;
  const u32 count = u32(columns.rest - columns.whole);
  Piece carried{};
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    const Eight<T> x = eightOf<T>(f, r * (N / 32) + col / 32);
    const Piece own = x.template piece<16>((pieces - 1) * 16);
    Piece low{};
    if constexpr (words < 4)
      low = pieceBefore<words>(own, carried);
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      const Piece high = x.template piece<16>(p * 16);
      const int at = mine + col + p * elements;
      if (u32(at - columns.whole) < count)
        storeGlobal<16>(line + laneOfWarp() * 8 + col + p * elements,
                        skipped<words>(low, high, bits));
      low = high;
    }
    carried = own;
  }
}

/// Those around them, each by the lane that has it.
template <class T, class S, int rows, int N>
__device__ __forceinline__ void storeColumns(T *line, const Blocked<S, rows, N> &f, int r,
                                             const StoredColumns &columns) {
  constexpr int size = int(sizeof(T));
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    const int end = col + 256;
    if (columns.last <= col || (columns.whole <= col && end <= columns.rest))
      continue;
    const Eight<T> x = eightOf<T>(f, r * (N / 32) + col / 32);
    const int mine = col + laneOfWarp() * 8;
#pragma unroll
    for (int e = 0; e < 8; ++e)
      if (columns.isApart(mine + e))
        storeGlobal<size>(line + mine + e, Piece{{x.bits(e)}});
  }
}

/// As storeBlocked, of rows that may start at any element and lie side by side: in pieces of 16
/// aligned bytes. The first and the last of a row, of which others may have a part, go by elements.
template <int warps, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedShifted(const Window<T> &w,
                                                    const Blocked<S, rows, N> &f, int warp) {
  constexpr int size = int(sizeof(T)), elements = 16 / size;
  static_assert(size >= 2, "elements of two bytes or more");
  const int begin = max(-w.col, 0), end = min(w.cols - w.col, N);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    if (!inside(row, w.rows) || begin >= end)
      continue;
    T *const line = w.base + row * w.rowStride + w.col;
    const u32 before = u32(u64(line)) % 16, skip = 16 - before; // bytes of the first piece
    const int lead = int(before) / size;
    const StoredColumns columns(begin, end, lead, elements);
    T *const piece = line - lead;
    if (skip == 16)
      storeLine<4>(piece, f, r, 0, lead, columns);
    else if (skip >= 12)
      storeLine<3>(piece, f, r, skip % 4 * 8, lead, columns);
    else if (skip >= 8)
      storeLine<2>(piece, f, r, skip % 4 * 8, lead, columns);
    else if (skip >= 4)
      storeLine<1>(piece, f, r, skip % 4 * 8, lead, columns);
    else
      storeLine<0>(piece, f, r, skip % 4 * 8, lead, columns);
    storeColumns(line, f, r, columns);
  }
}

#endif // SLUICE_HOST

} // namespace sluice
