// Copies by the threads of a role between global and shared memory, piece by piece.
#pragma once

#include <sluice/shared_tile.cuh>

namespace sluice {

/// A tile's window on a tensor: `base` at element (0, 0) of the two dimensions that the tile
/// covers, their extents and strides in elements, and where the tile starts.
template <class T> struct Window {
  T *base;
  int rows, cols;
  i64 rowStride, colStride;
  int row, col;
};

/// Numbers that name rows: row r of a tile is that which number first + r says; -1: there is none.
struct RowNumbers {
  const int *numbers;
  int count, first;
};

/// Lines that a warp of a role of `threads` threads copies: equal parts, the last one shorter.
template <int lines, int threads> struct LinesOfWarp {
  static constexpr int warps = threads / 32, share = (lines + warps - 1) / warps;
  int begin, end;

  __device__ __forceinline__ explicit LinesOfWarp(int thread)
      : begin(thread / 32 * share), end(begin + share < lines ? begin + share : lines) {}
};

#ifndef SLUICE_HOST

/// The pieces of `bytes` bytes of a tile, line by line: what thread copies deal out to the lanes of
/// a warp. `lines` lines of `along` elements at (line0, along0) of the slot.
template <class T, int lines, int along, int bytes> struct Pieces {
  static constexpr int elements = bytes / int(sizeof(T));
  static_assert(along % elements == 0, "a line is a whole number of pieces");
  static constexpr int perLine = along / elements;
};

/// Elements of a piece that lie inside the tensor: 0 .. elements.
template <int elements> __device__ __forceinline__ int insideAlong(int at, int extent) {
  int left = extent - at;
  return at < 0 || left <= 0 ? 0 : left < elements ? left : elements;
}

/// Elements of a piece from global memory one by one, from `first` on and before `end`, zeros
/// around them.
template <class T, int bytes>
__device__ __forceinline__ Piece loadElements(const T *from, int end, int first = 0) {
  constexpr int elements = bytes / int(sizeof(T));
  Piece p{};
#pragma unroll
  for (int e = 0; e < elements; ++e)
    if (first <= e && e < end)
      p.word[e * sizeof(T) / 4] |= loadGlobal<sizeof(T)>(from + e).word[0]
                                   << (e * sizeof(T) % 4 * 8);
  return p;
}

/// One piece from global memory, zero where the tensor has no element.
template <class T, int bytes> __device__ __forceinline__ Piece loadPiece(const T *from, int valid) {
  return valid == bytes / int(sizeof(T)) ? loadGlobal<bytes>(from)
                                         : loadElements<T, bytes>(from, valid);
}
template <class T, int bytes>
__device__ __forceinline__ void storePiece(T *to, const Piece &p, int valid) {
  constexpr int elements = bytes / int(sizeof(T));
  if (valid == elements) {
    storeGlobal<bytes>(to, p);
    return;
  }
#pragma unroll
  for (int e = 0; e < elements; ++e)
    if (e < valid)
      storeGlobal<sizeof(T)>(to + e, Piece{{p.word[e * sizeof(T) / 4] >> (e * sizeof(T) % 4 * 8)}});
}

/// Global -> shared, both with the same contiguous dimension: `lines` x `along` elements from
/// (w.row, w.col) to (line0, along0) of the slot at `to`. Elements outside the tensor become zero.
/// Eight loads of a thread are in flight at a time.
template <class Tile, int lines, int along, int bytes, int threads, class T>
__device__ __forceinline__ void loadTile(u32 to, int line0, int along0, const Window<T> &w,
                                         int thread) {
  using P = Pieces<T, lines, along, bytes>;
  constexpr bool rowLines = Tile::minorDimension == 1;
  constexpr int batch = 8;
  const LinesOfWarp<lines, threads> own(thread);
  i64 stride = rowLines ? w.rowStride : w.colStride;
  int firstLine = rowLines ? w.row : w.col, firstAlong = rowLines ? w.col : w.row;
  int lineExtent = rowLines ? w.rows : w.cols, alongExtent = rowLines ? w.cols : w.rows;
#pragma unroll 1
  for (int start = thread % 32; start < own.share * P::perLine; start += batch * 32) {
    Piece held[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      int p = start + i * 32, line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
      bool exists = line < own.end && inside(firstLine + line, lineExtent);
      int valid = exists ? insideAlong<P::elements>(firstAlong + at, alongExtent) : 0;
      held[i] = loadPiece<T, bytes>(w.base + (firstLine + line) * stride + firstAlong + at, valid);
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      int p = start + i * 32, line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
      if (line < own.end)
        storeShared<bytes>(to + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))),
                           held[i]);
    }
  }
}

/// The row of a tensor that a line of a tile takes.
__device__ __forceinline__ int rowOf(const RowNumbers &rows, int line) {
  const int at = rows.first + line;
  return inside(at, rows.count) ? int(loadGlobal<4>(rows.numbers + at).word[0]) : -1;
}

/// As loadTile, of rows that numbers name. Those of eight pieces are in flight at a time, then the
/// pieces themselves.
template <class Tile, int lines, int along, int bytes, int threads, class T>
__device__ __forceinline__ void gatherTile(u32 to, int line0, int along0, const Window<T> &w,
                                           const RowNumbers &rows, int thread) {
  using P = Pieces<T, lines, along, bytes>;
  static_assert(Tile::minorDimension == 1, "a line is a row");
  constexpr int batch = 8;
  const LinesOfWarp<lines, threads> own(thread);
#pragma unroll 1
  for (int start = thread % 32; start < own.share * P::perLine; start += batch * 32) {
    int row[batch];
    Piece held[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      int line = own.begin + (start + i * 32) / P::perLine;
      row[i] = line < own.end ? rowOf(rows, line) : -1;
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      int at = (start + i * 32) % P::perLine * P::elements;
      int valid = inside(row[i], w.rows) ? insideAlong<P::elements>(w.col + at, w.cols) : 0;
      held[i] = loadPiece<T, bytes>(w.base + row[i] * w.rowStride + w.col + at, valid);
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      int p = start + i * 32, line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
      if (line < own.end)
        storeShared<bytes>(to + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))),
                           held[i]);
    }
  }
}

/// Bytes skip .. skip + 15 of two pieces, one behind the other; skip below 16.
__device__ __forceinline__ Piece shifted(const Piece &low, const Piece &high, u32 skip) {
  u32 word[8] = {low.word[0],  low.word[1],  low.word[2],  low.word[3],
                 high.word[0], high.word[1], high.word[2], high.word[3]};
#pragma unroll
  for (int i = 0; i < 6; ++i)
    word[i] = skip & 8 ? word[i + 2] : word[i];
#pragma unroll
  for (int i = 0; i < 5; ++i)
    word[i] = skip & 4 ? word[i + 1] : word[i];
  Piece p;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    p.word[i] = __funnelshift_r(word[i], word[i + 1], skip % 4 * 8);
  return p;
}

/// The piece at any element, of which all elements are there: from the two aligned ones around it.
struct Straddling {
  Piece low{}, high{};

  __device__ __forceinline__ void load(u64 from) {
    const u64 aligned = from & ~u64(15);
    low = loadGlobal<16>(reinterpret_cast<const void *>(aligned));
    high = loadGlobal<16>(reinterpret_cast<const void *>(aligned + 16));
  }
  __device__ __forceinline__ Piece piece(u64 from) const { return shifted(low, high, from & 15); }
};

/// The first `count` elements of `size` bytes, zeros behind them.
template <int size> __device__ __forceinline__ Piece firstElements(Piece p, int count) {
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    const int bytes = count * size - 4 * w;
    p.word[w] = bytes >= 4 ? p.word[w] : bytes <= 0 ? 0 : p.word[w] & ((u32(1) << bytes * 8) - 1);
  }
  return p;
}

/// As loadTile, of lines that may start at any element and do not overlap, in pieces of 16 bytes.
/// Nobody writes the tensor meanwhile: bytes around the tile are read too, if the tensor has them.
template <class Tile, int lines, int along, int threads, class T>
__device__ __forceinline__ void loadTileShifted(u32 to, int line0, int along0, const Window<T> &w,
                                                int thread) {
  using P = Pieces<T, lines, along, 16>;
  static_assert(P::perLine <= 32, "a lane has the same part of some lines");
  constexpr bool rowLines = Tile::minorDimension == 1;
  constexpr int batch = 4, linesAtOnce = 32 / P::perLine;
  const LinesOfWarp<lines, threads> own(thread);
  const i64 stride = (rowLines ? w.rowStride : w.colStride) * i64(sizeof(T));
  const int firstLine = rowLines ? w.row : w.col, firstAlong = rowLines ? w.col : w.row;
  const int lineExtent = rowLines ? w.rows : w.cols, alongExtent = rowLines ? w.cols : w.rows;
  const int lane = thread % 32, at = lane % P::perLine * P::elements;
  const int line = own.begin + lane / P::perLine;
  if (lane / P::perLine == linesAtOnce)
    return; // a lane too many
  const u64 mine = u64(w.base + firstAlong + at) + (firstLine + line) * stride;
  const auto store = [&](int l, const Piece &piece) {
    storeShared<16>(to + Tile::offsetInLine(line0 + l, (along0 + at) * int(sizeof(T))), piece);
  };
  // Aligned pieces around the first and the last one of a tensor may reach out of it.
  const bool starts = firstLine <= 0 && firstAlong < P::elements;
  const bool ends =
      firstLine + lines >= lineExtent && firstAlong + along + P::elements > alongExtent;
  if (firstAlong >= 0 && firstAlong + along <= alongExtent && !starts && !ends) {
#pragma unroll 1
    for (int first = line; first < own.end; first += batch * linesAtOnce) {
      Straddling held[batch];
      const u64 from = mine + (first - line) * stride;
#pragma unroll
      for (int i = 0; i < batch; ++i)
        if (const int l = first + i * linesAtOnce; l < own.end && inside(firstLine + l, lineExtent))
          held[i].load(from + i * linesAtOnce * stride);
#pragma unroll
      for (int i = 0; i < batch; ++i)
        if (const int l = first + i * linesAtOnce; l < own.end)
          store(l, held[i].piece(from + i * linesAtOnce * stride));
    }
    return;
  }
  const u64 begin = u64(w.base), end = u64(w.base + alongExtent) + (lineExtent - 1) * stride;
#pragma unroll 1
  for (int l = line; l < own.end; l += linesAtOnce) {
    const u64 from = mine + (l - line) * stride, aligned = from & ~u64(15);
    // Pieces begin anywhere, so that one may lie around the first element too.
    const int column = firstAlong + at, left = alongExtent - column;
    const int before = column < 0 ? -column : 0;
    const int valid = inside(firstLine + l, lineExtent) ? min(max(left, 0), P::elements) : 0;
    Straddling held;
    if (before == 0 && valid == P::elements && aligned >= begin && aligned + 32 <= end) {
      held.load(from);
      store(l, held.piece(from));
    } else {
      store(l, loadElements<T, 16>(reinterpret_cast<const T *>(from), valid, before));
    }
  }
}

/// The same of longer lines: what a warp reads at once lies side by side. Pieces that reach out of
/// the tensor are read by elements.
template <class Tile, int lines, int along, int threads, class T>
__device__ __forceinline__ void loadLinesShifted(u32 to, int line0, int along0, const Window<T> &w,
                                                 int thread) {
  using P = Pieces<T, lines, along, 16>;
  using Own = LinesOfWarp<lines, threads>;
  constexpr bool rowLines = Tile::minorDimension == 1;
  constexpr int size = int(sizeof(T)), most = 12; // pieces that a lane has registers for
  constexpr int each = (Own::share * P::perLine + 31) / 32, batches = (each + most - 1) / most;
  constexpr int batch = (each + batches - 1) / batches; // equal ones: each waits for its loads
  const Own own(thread);
  const i64 stride = (rowLines ? w.rowStride : w.colStride) * i64(size);
  const int firstLine = rowLines ? w.row : w.col, firstAlong = rowLines ? w.col : w.row;
  const int lineExtent = rowLines ? w.rows : w.cols, alongExtent = rowLines ? w.cols : w.rows;
  const u64 begin = u64(w.base), end = begin + u64(alongExtent) * size + (lineExtent - 1) * stride;
#pragma unroll 1
  for (int start = thread % 32; start < own.share * P::perLine; start += batch * 32) {
    Straddling held[batch];
    // Of piece i: its line, its place in the line, and its first element that does not exist.
    const auto lineOf = [&](int i) { return own.begin + (start + i * 32) / P::perLine; };
    const auto placeOf = [&](int i) { return (start + i * 32) % P::perLine * P::elements; };
    const auto validOf = [&](int i) {
      const bool exists = lineOf(i) < own.end && inside(firstLine + lineOf(i), lineExtent);
      return exists ? min(max(alongExtent - firstAlong - placeOf(i), 0), P::elements) : 0;
    };
    const auto from = [&](int i) {
      return begin + (firstLine + lineOf(i)) * stride + i64(firstAlong + placeOf(i)) * size;
    };
    const auto isWithin = [&](u64 at) {
      return (at & ~u64(15)) >= begin && (at & ~u64(15)) + 32 <= end;
    };
    const auto isWhole = [&](int i) { return firstAlong + placeOf(i) >= 0 && isWithin(from(i)); };
#pragma unroll
    for (int i = 0; i < batch; ++i)
      if (validOf(i) > 0 && isWhole(i))
        held[i].load(from(i));
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const int valid = validOf(i), column = firstAlong + placeOf(i);
      Piece piece;
      if (valid == 0 || isWhole(i))
        piece = firstElements<size>(held[i].piece(from(i)), valid);
      else
        piece = loadElements<T, 16>(reinterpret_cast<const T *>(from(i)), valid, max(-column, 0));
      if (lineOf(i) < own.end)
        storeShared<16>(to + Tile::offsetInLine(line0 + lineOf(i), (along0 + placeOf(i)) * size),
                        piece);
    }
  }
}

/// Lines of 128 bytes that `bytes` bytes in a row may have a part of, wherever they start.
template <int bytes> constexpr int memoryLines = (bytes + 126) / 128 + 1;

/// `lines` x `along` elements of a tensor from (w.row, w.col) on to L2; columns are contiguous, and
/// what is outside of the tensor is left out.
template <int lines, int along, int threads, class T>
__device__ __forceinline__ void prefetchTile(const Window<T> &w, int thread) {
  constexpr int perLine = memoryLines<along *int(sizeof(T))>;
  const i64 first = w.col > 0 ? w.col : 0, last = i64(w.col) + along;
  const i64 end = last < w.cols ? last : w.cols;
#pragma unroll 4
  for (int p = thread; p < lines * perLine; p += threads) {
    const int row = w.row + p / perLine;
    if (!inside(row, w.rows) || first >= end)
      continue;
    const T *from = w.base + row * w.rowStride + first;
    const u64 line = (u64(from) / 128 + u64(p % perLine)) * 128;
    const u64 at = line > u64(from) ? line : u64(from);
    if (at < u64(w.base + row * w.rowStride + end))
      prefetchL2(reinterpret_cast<const void *>(at));
  }
}

/// The same by cp.async, member of the thread's cp.async group.
template <class Tile, int lines, int along, int bytes, int threads, class T>
__device__ __forceinline__ void loadTileAsync(u32 to, int line0, int along0, const Window<T> &w,
                                              int thread) {
  using P = Pieces<T, lines, along, bytes>;
  constexpr bool rowLines = Tile::minorDimension == 1;
  i64 stride = rowLines ? w.rowStride : w.colStride;
  int firstLine = rowLines ? w.row : w.col, firstAlong = rowLines ? w.col : w.row;
  int lineExtent = rowLines ? w.rows : w.cols, alongExtent = rowLines ? w.cols : w.rows;
  const LinesOfWarp<lines, threads> own(thread);
#pragma unroll 4
  for (int p = thread % 32; p < (own.end - own.begin) * P::perLine; p += 32) {
    int line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
    int valid = inside(firstLine + line, lineExtent)
                    ? insideAlong<P::elements>(firstAlong + at, alongExtent)
                    : 0;
    const T *from = valid ? w.base + (firstLine + line) * stride + firstAlong + at : w.base;
    cpAsync<bytes>(to + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))), from,
                   valid * int(sizeof(T)));
  }
}

/// As gatherTile, by cp.async.
template <class Tile, int lines, int along, int bytes, int threads, class T>
__device__ __forceinline__ void gatherTileAsync(u32 to, int line0, int along0, const Window<T> &w,
                                                const RowNumbers &rows, int thread) {
  using P = Pieces<T, lines, along, bytes>;
  static_assert(Tile::minorDimension == 1, "a line is a row");
  const LinesOfWarp<lines, threads> own(thread);
#pragma unroll 4
  for (int p = thread % 32; p < (own.end - own.begin) * P::perLine; p += 32) {
    const int line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
    const int row = rowOf(rows, line);
    const int valid = inside(row, w.rows) ? insideAlong<P::elements>(w.col + at, w.cols) : 0;
    const T *from = valid ? w.base + row * w.rowStride + w.col + at : w.base;
    cpAsync<bytes>(to + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))), from,
                   valid * int(sizeof(T)));
  }
}

/// Shared -> global, lines of 16-bit elements that begin anywhere in the tensor: 4 bytes a lane. Of
/// a line that does not start at a multiple of 4 bytes, pairs begin with its second element; the
/// first one goes alone, and the last if it has no other.
template <class Tile, int along, class T> struct LineInPairs {
  static constexpr int words = along / 64; // of a lane
  u32 low[words], high[words];

  __device__ __forceinline__ void load(u32 from, int line, int along0) {
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const int at = i * 64 + laneOfWarp() * 2;
      const auto wordAt = [&](int at) {
        return loadShared<4>(from + Tile::offsetInLine(line, (along0 + at) * 2)).word[0];
      };
      low[i] = wordAt(at);
      high[i] = wordAt(min(at + 2, along - 2));
    }
  }
  /// `valid` elements of it are inside the tensor.
  __device__ __forceinline__ void store(T *to, int valid) const {
    const int odd = int(u64(to) / 2 % 2), end = min(valid, along);
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const int at = i * 64 + laneOfWarp() * 2 + odd;
      const Piece pair{{__funnelshift_r(low[i], high[i], u32(odd) * 16)}};
      storeGlobalIf<4>(at + 1 < end, to + at, pair);
      storeGlobalIf<2>(at + 1 == end, to + at, pair);
    }
    storeGlobalIf<2>(odd && laneOfWarp() == 0 && valid > 0, to, Piece{{low[0]}});
  }
};

/// Shared -> global; elements outside the tensor are skipped.
template <class Tile, int lines, int along, int bytes, int threads, class T>
__device__ __forceinline__ void storeTile(const Window<T> &w, u32 from, int line0, int along0,
                                          int thread) {
  using P = Pieces<T, lines, along, bytes>;
  constexpr bool rowLines = Tile::minorDimension == 1;
  i64 stride = rowLines ? w.rowStride : w.colStride;
  int firstLine = rowLines ? w.row : w.col, firstAlong = rowLines ? w.col : w.row;
  int lineExtent = rowLines ? w.rows : w.cols, alongExtent = rowLines ? w.cols : w.rows;
  const LinesOfWarp<lines, threads> own(thread);
  const auto store = [&](T *to, int line, int at) {
    const Piece held =
        loadShared<bytes>(from + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))));
    storePiece<T, bytes>(to + at, held, insideAlong<P::elements>(firstAlong + at, alongExtent));
  };
  if constexpr (bytes == 2 && sizeof(T) == 2 && along % 64 == 0) {
    constexpr int batch = 4;
    const int end = min(own.end, lineExtent - firstLine), valid = alongExtent - firstAlong;
    T *to = w.base + (firstLine + own.begin) * stride + firstAlong;
#pragma unroll 1
    for (int first = own.begin; first < end; first += batch, to += batch * stride) {
      LineInPairs<Tile, along, T> held[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i)
        held[i].load(from, line0 + min(first + i, own.end - 1), along0);
#pragma unroll
      for (int i = 0; i < batch; ++i)
        held[i].store(to + i * stride, first + i < end ? valid : 0);
    }
  } else if constexpr (P::perLine % 32 == 0) { // lanes keep their places in all lines
    T *to = w.base + (firstLine + own.begin) * stride + firstAlong;
#pragma unroll 4
    for (int line = own.begin; line < own.end; ++line, to += stride)
      if (inside(firstLine + line, lineExtent)) {
#pragma unroll
        for (int p = 0; p < P::perLine; p += 32)
          store(to, line, (p + thread % 32) * P::elements);
      }
  } else {
#pragma unroll 4
    for (int p = thread % 32; p < (own.end - own.begin) * P::perLine; p += 32) {
      const int line = own.begin + p / P::perLine;
      if (inside(firstLine + line, lineExtent))
        store(w.base + (firstLine + line) * stride + firstAlong, line,
              p % P::perLine * P::elements);
    }
  }
}

/// Every element of `rows` x `cols` at (row0, col0) of the slot becomes x.
template <class Tile, int rows, int cols, int threads, class X>
__device__ __forceinline__ void fillTile(u32 to, int row0, int col0, X x, int thread) {
  using T = typename Tile::Element;
  Piece held{{elementBits(Convert<T>::from(x))}};
  const LinesOfWarp<rows, threads> own(thread);
#pragma unroll 4
  for (int p = thread % 32; p < (own.end - own.begin) * cols; p += 32)
    storeShared<sizeof(T)>(to + Tile::offset(row0 + own.begin + p / cols, col0 + p % cols), held);
}

#endif // SLUICE_HOST

} // namespace sluice
