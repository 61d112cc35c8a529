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

/// Lines in shared memory: each has a head, which says how many bytes of its room lie before its
/// first element and how many elements it has, then room for its pieces. They lie in 128 bytes as
/// the tensor has them: copies of what lies otherwise are 6 to 8 % slower (bench/ROWS.md).
/// `shifted`: lines may begin within a piece.
constexpr int headOfLine = 16, alikeInLine = 128, roomOfLine = headOfLine + alikeInLine;
template <class T, int rows, int cols, bool shifted = true> struct LinesTile {
  using Element = T;
  static constexpr bool isShifted = shifted;
  static constexpr int columns = cols;
  static constexpr int lineBytes = cols * int(sizeof(T)) + roomOfLine;
  static_assert(cols * sizeof(T) % 16 == 0, "whole pieces");
  static __device__ __forceinline__ u32 line(int row) { return u32(row * lineBytes); }
};

/// All lines of a tile in shared memory, `width` elements apart as in the tensor: one head and one
/// room for all.
template <class T, int rows, int cols, int width, bool shifted = true> struct SpanTile {
  using Element = T;
  static constexpr bool isShifted = shifted;
  static constexpr int lines = rows, columns = cols, widthOfLine = width;
  static constexpr int lineBytes = width * int(sizeof(T));
  static constexpr int bytes = rows * cols * int(sizeof(T)) + roomOfLine;
  static_assert(lineBytes % 16 == 0 && width <= cols, "whole pieces");
  static __device__ __forceinline__ u32 line(int row) { return u32(row * lineBytes); }
};

#ifndef SLUICE_HOST

/// Of line `row` of the slot at `from`: the bytes before its first element, and its elements.
template <class T, int rows, int cols, bool shifted>
__device__ __forceinline__ Piece headOf(LinesTile<T, rows, cols, shifted>, u32 from, int row) {
  return loadShared<8>(from + LinesTile<T, rows, cols, shifted>::line(row));
}
template <class T, int rows, int cols, int width, bool shifted>
__device__ __forceinline__ Piece headOf(SpanTile<T, rows, cols, width, shifted>, u32 from,
                                        int row) {
  Piece head = loadShared<8>(from);
  head.word[1] = u32(min(max(int(head.word[1]) - row * width, 0), width));
  return head;
}

/// The elements of a tensor between two of its bytes.
template <class T> __device__ __forceinline__ void loadByElements(u32 to, u64 from, u64 end) {
  constexpr int size = int(sizeof(T));
  for (; from < end; from += size, to += size)
    storeShared<size>(to, loadGlobal<size>(reinterpret_cast<const void *>(from)));
}

/// A line of a tensor, by its bytes; which pieces of 16 have a part of it.
struct LineBytes {
  u64 from, last;
  /// Of the room at `room`, those before its first element.
  __device__ __forceinline__ u32 skip(u32 room) const { return (u32(from) - room) % alikeInLine; }
  __device__ __forceinline__ u64 firstPiece() const { return from & ~u64(15); }
  __device__ __forceinline__ u64 behindPieces() const { return (last + 15) & ~u64(15); }
  __device__ __forceinline__ u32 bytesOfPieces() const {
    return u32(behindPieces() - firstPiece());
  }
};

/// The head at `at`, of so many elements.
__device__ __forceinline__ void storeHead(u32 at, const LineBytes &line, int count) {
  storeShared<8>(at, Piece{{line.skip(at + headOfLine), u32(count)}});
}
/// All pieces of a line to the room behind its head.
template <class Copy>
__device__ __forceinline__ void copyPieces(const Copy &copy, u32 head, const LineBytes &line) {
  const u32 room = head + headOfLine;
  copy(room + (line.skip(room) & ~15u), line.firstPiece(), line.bytesOfPieces());
}

/// Lines of which no piece reaches out of the tensor, from `first` on.
template <class Tile, int lines, class Copy>
__device__ __forceinline__ void loadInnerLines(const Copy &copy, u32 to, LineBytes first,
                                               i64 stride, int count, u32 barrier) {
  const auto line = [&](int l) {
    return LineBytes{first.from + l * stride, first.last + l * stride};
  };
  u32 bytes = 0;
#pragma unroll
  for (int l = 0; l < lines; ++l)
    bytes += line(l).bytesOfPieces();
  mbarrierExpectTx(barrier, bytes);
#pragma unroll
  for (int l = 0; l < lines; ++l) {
    const u32 at = to + Tile::line(l);
    storeHead(at, line(l), count);
    copyPieces(copy, at, line(l));
  }
}

/// Any line, with its head: pieces that reach out of the tensor, which has whole ones between
/// `first` and `behind`, go by elements.
template <class T, class Copy>
__device__ __forceinline__ void loadOuterLine(const Copy &copy, u32 head, LineBytes line, u64 first,
                                              u64 behind, u32 barrier) {
  const u32 room = head + headOfLine, at = room + line.skip(room); // of the first element
  storeHead(head, line, int((line.last - line.from) / sizeof(T)));
  if (line.from == line.last)
    return;
  u64 copied = max(line.firstPiece(), first), rest = min(line.behindPieces(), behind);
  if (copied < rest) {
    mbarrierExpectTx(barrier, u32(rest - copied));
    copy(at + u32(copied - line.from), copied, u32(rest - copied));
  } else {
    copied = rest = line.last;
  }
  if (copied > line.from || rest < line.last) { // other lines' copies come here later
    loadByElements<T>(at, line.from, min(copied, line.last));
    loadByElements<T>(at + u32(rest - line.from), rest, line.last);
    fenceProxyAsync();
  }
}

/// By one thread: `lines` lines of the tensor, from line0 on in the slot at `to`. The barrier waits
/// for the bytes of the tile, which this completes, and then for those that it copies. Nobody
/// writes the tensor meanwhile: bytes around a line are read too, if the tensor has them.
/// copy(to, from, bytes) starts a bulk copy.
template <class Tile, int lines, class T, class Copy>
__device__ __forceinline__ void loadLinesBy(const Copy &copy, u32 to, int line0, const Window<T> &w,
                                            u32 barrier) {
  constexpr int size = int(sizeof(T)), along = Tile::columns;
  const i64 stride = w.rowStride * size;
  const u64 begin = u64(w.base), end = begin + (w.rows - 1) * stride + i64(w.cols) * size;
  const u64 first = (begin + 15) & ~u64(15), behind = end & ~u64(15); // whole pieces
  const int most = min(max(w.cols - w.col, 0), along);
  const u64 from = begin + w.row * stride + i64(w.col) * size;
  const auto line = [&](int l) {
    return LineBytes{from + l * stride, from + l * stride + i64(most) * size};
  };
  if (most > 0 && w.row >= 0 && w.row + lines <= w.rows && line(0).firstPiece() >= first &&
      line(lines - 1).behindPieces() <= behind) {
    loadInnerLines<Tile, lines>(copy, to + Tile::line(line0), line(0), stride, most, barrier);
  } else {
#pragma unroll 1
    for (int l = 0; l < lines; ++l) {
      const bool there = inside(w.row + l, w.rows) && most > 0;
      loadOuterLine<T>(copy, to + Tile::line(line0 + l), there ? line(l) : LineBytes{begin, begin},
                       first, behind, barrier);
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

/// By one thread: all lines of a tile, to the slot at `to`: `count` elements from `from` on of a
/// tensor that has whole pieces between `first` and `behind`. As loadLinesBy() otherwise.
template <class Tile, class Copy>
__device__ __forceinline__ void loadAtOnce(const Copy &copy, u32 to, u64 from, int count, u64 first,
                                           u64 behind, u32 barrier) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T));
  loadOuterLine<T>(copy, to, {from, from + i64(count) * size}, first, behind, barrier);
  fenceCta(); // what it stored itself, before who waits reads it
  mbarrierCompleteTx(barrier, u32(Tile::lines * Tile::columns * size));
}

/// `size` words of two pieces, one behind the other, from byte 4 * words + bits / 8 on.
template <int words, int size = 4>
__device__ __forceinline__ Piece skipped(const Piece &low, const Piece &high, u32 bits) {
  u32 word[2 * size + 1];
#pragma unroll
  for (int i = 0; i < size; ++i)
    word[i] = low.word[i], word[size + i] = high.word[i];
  word[2 * size] = 0;
  Piece p{};
#pragma unroll
  for (int i = 0; i < size; ++i)
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
      held[p] = loadSharedAgain(from + u32((col + laneOfWarp() * 8) * size + p * 16));
#pragma unroll
    for (int p = 0; p < pieces; ++p)
      row.eight[col / 256].template take<16>(p * 16, skipped<words>(held[p], held[p + 1], bits));
  }
}

/// The same of a row that begins where a piece does.
template <class T, int N>
__device__ __forceinline__ void loadWholePieces(RowOfLane<T, N> &row, u32 from) {
  constexpr int size = int(sizeof(T));
#pragma unroll
  for (int col = 0; col < N; col += 256)
#pragma unroll
    for (int p = 0; p < 8 * size; p += 16)
      row.eight[col / 256].template take<16>(
          p, loadSharedAgain(from + u32((col + laneOfWarp() * 8) * size + p)));
}

/// Of columns `from` .. N - 1 those in front of `count`, zeros behind them.
template <int from, class T, int N>
__device__ __forceinline__ void keepColumns(RowOfLane<T, N> &row, int count) {
  constexpr int size = int(sizeof(T)), elements = 16 / size;
#pragma unroll
  for (int col = from; col < N; col += 256) {
    Eight<T> &x = row.eight[col / 256];
#pragma unroll
    for (int e = 0; e < 8; e += elements) {
      const int left = count - col - laneOfWarp() * 8 - e;
      x.template take<16>(e * size, firstElements<size>(x.template piece<16>(e * size), left));
    }
  }
}
/// The same of all columns; as a rule all are there, or all but some of the last 256.
template <class T, int N>
__device__ __forceinline__ void keepColumns(RowOfLane<T, N> &row, int count) {
  if (count >= N)
    return;
  if (count >= N - 256)
    keepColumns<N - 256>(row, count);
  else
    keepColumns<0>(row, count);
}

/// Lines of the slot at `from` -> registers, from (row0, col0) on; col0 is a multiple of 8.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedLines(Blocked<S, rows, N> &f, u32 from, int row0,
                                                 int col0, int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = row0 + blockedRow<rows>(r, warp);
    const Piece head = headOf(Tile(), from, row);
    const u32 at =
        from + Tile::line(row) + u32(headOfLine + col0 * int(sizeof(T))) + (head.word[0] & ~15u);
    const u32 words = head.word[0] % 16 / 4, bits = sizeof(T) < 4 ? head.word[0] % 4 * 8 : 0;
    RowOfLane<T, N> mine;
    if constexpr (!Tile::isShifted)
      loadWholePieces(mine, at);
    else if (words == 0)
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

/// Bytes of the pieces in which a row is stored: all that a lane has of 8-bit elements.
template <class T> constexpr int storedBytes = sizeof(T) == 1 ? 8 : 16;

/// Words from `first` on of the piece of the lane before, of `size` words; lane 0 gets those of
/// lane 31 in `carried`.
template <int first, int size>
__device__ __forceinline__ Piece pieceBefore(const Piece &own, const Piece &carried) {
  Piece p{};
#pragma unroll
  for (int i = first; i < size; ++i)
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
};

/// The whole pieces of row r of the warp's: aligned ones from 4 * words + bits / 8 bytes behind the
/// start of the piece of the lane before; words of a whole piece: they are the lanes' own. Columns
/// count from `line` on, where a piece begins.
template <int words, class T, class S, int rows, int N>
__device__ __forceinline__ void storeLine(T *line, const Blocked<S, rows, N> &f, int r, u32 bits,
                                          int lead, const StoredColumns &columns) {
  constexpr int size = int(sizeof(T)), bytes = storedBytes<T>, elements = bytes / size;
  constexpr int pieces = 8 / elements, wordsOfPiece = bytes / 4;
  const u32 mine = u32(laneOfWarp() * 8 - lead - columns.whole);
  const u32 count = u32(columns.rest - columns.whole);
  T *const start = asBase(line + laneOfWarp() * 8);
  Piece carried{};
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    const Eight<T> x = eightOf<T>(f, r * (N / 32) + col / 32);
    const Piece own = x.template piece<bytes>((pieces - 1) * bytes);
    Piece low{};
    if constexpr (words < wordsOfPiece)
      low = pieceBefore<words, wordsOfPiece>(own, carried);
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      const Piece high = x.template piece<bytes>(p * bytes);
      const int at = col + p * elements;
      storeGlobalIf<bytes>(mine + u32(at) < count, start + at,
                           skipped<words, wordsOfPiece>(low, high, bits));
      low = high;
    }
    carried = own;
  }
}

/// Columns first .. end - 1, which lie between `least` and `most`, each by the lane that has it.
/// What `least` and `most` say is known in the text as a rule.
template <class T, class S, int rows, int N>
__device__ __forceinline__ void storeColumns(T *line, const Blocked<S, rows, N> &f, int r,
                                             int first, int end, int least, int most) {
  constexpr int size = int(sizeof(T));
  const u32 count = u32(end - first), mine = u32(laneOfWarp() * 8 - first);
  T *const start = asBase(line + laneOfWarp() * 8);
#pragma unroll
  for (int col = 0; col < N; col += 256) {
    if (most <= col || col + 256 <= least || end <= col || col + 256 <= first)
      continue;
    const Eight<T> x = eightOf<T>(f, r * (N / 32) + col / 32);
#pragma unroll
    for (int e = 0; e < 8; ++e)
      storeGlobalIf<size>(mine + u32(col + e) < count, start + col + e, Piece{{x.bits(e)}});
  }
}

/// Columns begin .. end - 1 of row r of the warp's, to `line` on, in aligned pieces. The first and
/// the last, of which others may have a part, go by elements.
template <class T, class S, int rows, int N>
__device__ __forceinline__ void storeRowShifted(T *line, const Blocked<S, rows, N> &f, int r,
                                                int begin, int end) {
  constexpr int size = int(sizeof(T)), bytes = storedBytes<T>, elements = bytes / size;
  const u32 before = u32(u64(line)) % bytes, skip = bytes - before; // bytes of the first piece
  const int lead = int(before) / size;
  const StoredColumns columns(begin, end, lead, elements);
  T *const piece = line - lead;
  const u32 bits = skip % 4 * 8;
  if (skip == bytes)
    storeLine<bytes / 4>(piece, f, r, 0, lead, columns);
  else if (bytes == 16 && skip >= 12)
    storeLine<bytes == 16 ? 3 : 0>(piece, f, r, bits, lead, columns);
  else if (bytes == 16 && skip >= 8)
    storeLine<bytes == 16 ? 2 : 0>(piece, f, r, bits, lead, columns);
  else if (skip >= 4)
    storeLine<1>(piece, f, r, bits, lead, columns);
  else
    storeLine<0>(piece, f, r, bits, lead, columns);
  constexpr int around = 2 * elements; // at most, on either side
  storeColumns(line, f, r, begin, columns.whole, begin, begin + around);
  storeColumns(line, f, r, columns.rest, end, end - around, end);
}

/// As storeBlocked, of rows that may start at any element and lie side by side.
template <int warps, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedShifted(const Window<T> &w,
                                                    const Blocked<S, rows, N> &f, int warp) {
  const int begin = max(-w.col, 0), end = min(w.cols - w.col, N);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    if (inside(row, w.rows) && begin < end)
      storeRowShifted(w.base + row * w.rowStride + w.col, f, r, begin, end);
  }
}

#endif // SLUICE_HOST

} // namespace sluice
