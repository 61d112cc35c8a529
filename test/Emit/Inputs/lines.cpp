// A host's memory, barrier and lanes for device/sluice/lines.cuh, of which lines.inc is the text.
#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define __device__
#define __forceinline__ inline

namespace sluice {

using std::max;
using std::min;
using u32 = unsigned;
using u64 = unsigned long long;
using i64 = long long;

/// What may be touched of global memory, and all of shared memory.
struct Memory {
  const unsigned char *begin = nullptr, *end = nullptr;
  bool has(const void *at, u32 bytes) const {
    const auto *first = static_cast<const unsigned char *>(at);
    return u64(at) % bytes == 0 && begin <= first && first + bytes <= end;
  }
};
Memory tensor;
std::vector<unsigned char> shared;
i64 pending; // bytes of the barrier

void demand(bool holds, const char *what) {
  if (!holds) {
    std::printf("wrong: %s\n", what);
    std::exit(1);
  }
}

struct Piece {
  u32 word[4];
};
template <int bytes> Piece loadShared(u32 from) {
  demand(from % bytes == 0 && from + bytes <= shared.size(), "a read of shared memory");
  Piece p{};
  std::memcpy(p.word, &shared[from], bytes);
  return p;
}
Piece loadSharedAgain(u32 from) {
  return loadShared<16>(from);
}
template <int bytes> void storeShared(u32 to, const Piece &p) {
  demand(to % bytes == 0 && to + bytes <= shared.size(), "a write of shared memory");
  std::memcpy(&shared[to], p.word, bytes);
}
template <int bytes> Piece loadGlobal(const void *from) {
  demand(tensor.has(from, bytes), "a read of global memory");
  Piece p{};
  std::memcpy(p.word, from, bytes);
  return p;
}
template <int bytes> void storeGlobal(void *to, const Piece &p) {
  demand(tensor.has(to, bytes), "a write of global memory");
  std::memcpy(to, p.word, bytes);
}
template <class T> T *asBase(T *at) {
  return at;
}
template <int bytes> void storeGlobalIf(bool so, void *to, const Piece &p) {
  if (so)
    storeGlobal<bytes>(to, p);
}
void bulkLoad(u32 to, u64 from, u32 bytes, u32) {
  const auto *source = reinterpret_cast<const unsigned char *>(from);
  demand(to % 16 == 0 && from % 16 == 0 && bytes % 16 == 0 && bytes > 0, "alignment of a copy");
  demand(tensor.begin <= source && source + bytes <= tensor.end, "a copy of what is not there");
  demand(to + bytes <= shared.size(), "a copy to what is not there");
  demand(to % 128 == u32(from % 128), "a copy to what lies as the tensor does");
  std::memcpy(&shared[to], source, bytes);
  pending -= bytes;
}
void mbarrierExpectTx(u32, u32 bytes) {
  pending += bytes;
}
void mbarrierCompleteTx(u32, u32 bytes) {
  pending -= bytes;
}
void fenceCta() {}
void fenceProxyAsync() {}

thread_local int lane;
std::barrier<> lanes(32);
u32 exchanged[32];

int laneOfWarp() {
  return lane;
}
u32 __shfl_sync(u32, u32 value, int from) {
  exchanged[lane] = value;
  lanes.arrive_and_wait();
  const u32 got = exchanged[from];
  lanes.arrive_and_wait();
  return got;
}
u32 __funnelshift_r(u32 low, u32 high, u32 bits) {
  return bits % 32 ? low >> bits % 32 | high << (32 - bits % 32) : low;
}

bool inside(int i, int extent) {
  return i >= 0 && i < extent;
}
template <class T> struct Window {
  T *base;
  int rows, cols;
  i64 rowStride, colStride;
  int row, col;
};
template <class T, int rows, int N> struct Blocked { T value[rows * N / 32]; };
template <int rows> int blockedRow(int index, int warp) {
  return warp * rows + index;
}
template <int size> Piece firstElements(Piece p, int count) {
  for (int byte = max(count, 0) * size; byte < 16; ++byte)
    reinterpret_cast<unsigned char *>(p.word)[byte] = 0;
  return p;
}
template <class T> struct Eight {
  u32 word[2 * sizeof(T)];
  template <int bytes> void take(int at, const Piece &p) {
    std::memcpy(word + at / 4, p.word, bytes);
  }
  template <int bytes> Piece piece(int at) const {
    Piece p{};
    std::memcpy(p.word, word + at / 4, bytes);
    return p;
  }
  u32 bits(int e) const { return word[e * sizeof(T) / 4] >> (e * sizeof(T) % 4 * 8); }
};
template <class T, int rows, int N>
void setEight(Blocked<T, rows, N> &f, int first, const Eight<T> &x) {
  std::memcpy(f.value + first, x.word, sizeof x.word);
}
template <class T, int rows, int N> Eight<T> eightOf(const Blocked<T, rows, N> &f, int first) {
  Eight<T> x;
  std::memcpy(x.word, f.value + first, sizeof x.word);
  return x;
}

} // namespace sluice

#include "lines.inc"

using namespace sluice;

/// A matrix whose rows are `stride` elements apart, `start` elements behind 16 aligned bytes.
template <class T> struct Matrix {
  std::vector<T> memory;
  T *base;
  int rows, cols, stride;

  Matrix(int rows, int cols, int stride, int start)
      : memory(16 + (rows + 1) * stride), base(memory.data()), rows(rows), cols(cols),
        stride(stride) {
    while (u64(base) % 16)
      ++base;
    base += start;
  }
  Memory all() const {
    const auto *first = reinterpret_cast<const unsigned char *>(base);
    return {first, first + ((rows - 1) * stride + cols) * sizeof(T)};
  }
  bool has(int r, int c) const { return r < rows && c < cols; }
  T &at(int r, int c) { return base[r * stride + c]; }
};

constexpr int columns = 512, rowsOfWarp = 2, warps = 2, rowsOfTile = warps * rowsOfWarp;

/// The tile at (row, col) of one matrix goes to the same place of another.
template <class T> void launch(Matrix<T> from, Matrix<T> to, int row, int col) {
  using Tile = LinesTile<T, rowsOfTile, columns>;
  for (size_t i = 0; i < from.memory.size(); ++i)
    from.memory[i] = T(i * 40503 | 1);
  std::vector<T> wanted = to.memory;
  for (int r = row; r < row + rowsOfTile; ++r)
    for (int c = col; c < col + columns; ++c)
      if (to.has(r, c))
        wanted[&to.at(r, c) - to.memory.data()] = from.at(r, c);

  shared.assign(rowsOfTile * Tile::lineBytes, 0xee);
  pending = rowsOfTile * columns * i64(sizeof(T));
  tensor = from.all();
  loadLines<Tile, rowsOfTile>(
      0, 0, Window<T>{from.base, from.rows, from.cols, from.stride, 1, row, col}, 0);
  demand(pending == 0, "bytes of the barrier");
  tensor = to.all();
  const auto work = [&](int warp) {
    Blocked<T, rowsOfWarp, columns> held;
    loadBlockedLines<Tile, warps>(held, 0, 0, 0, warp);
    for (int i = 0; i < rowsOfWarp * columns / 32; ++i) {
      const int r = row + warp * rowsOfWarp + i / (columns / 32);
      const int c = col + i % (columns / 32) / 8 * 256 + lane * 8 + i % 8;
      demand(held.value[i] == (from.has(r, c) ? from.at(r, c) : T(0)), "a value in registers");
    }
    const Window<T> window{to.base, to.rows, to.cols, to.stride, 1, row, col};
    storeBlockedShifted<warps>(window, held, warp);
  };
  std::vector<std::thread> threads;
  for (int l = 0; l < 32; ++l)
    threads.emplace_back([&, l] {
      lane = l;
      for (int warp = 0; warp < warps; ++warp)
        work(warp);
    });
  for (std::thread &thread : threads)
    thread.join();
  demand(to.memory == wanted, "what is stored");
}

/// Lines of `width` one behind the other: those from element `first` of a tensor of `all` elements
/// that starts `start` elements behind 16 aligned bytes.
template <class T, int width> void span(int start, int first, int all) {
  using Tile = SpanTile<T, rowsOfTile, columns, width>;
  Matrix<T> from(1, all, all, start);
  for (size_t i = 0; i < from.memory.size(); ++i)
    from.memory[i] = T(i * 40503 | 1);
  const int count = min(max(all - first, 0), rowsOfTile * width);
  shared.assign(Tile::bytes, 0xee);
  pending = rowsOfTile * columns * i64(sizeof(T));
  tensor = from.all();
  const u64 begin = u64(from.base), end = begin + all * sizeof(T);
  const auto copy = [](u32 to, u64 at, u32 bytes) { bulkLoad(to, at, bytes, 0); };
  loadAtOnce<Tile>(copy, 0, u64(from.base + first), count, (begin + 15) & ~u64(15), end & ~u64(15),
                   0);
  demand(pending == 0, "bytes of the barrier");
  const auto work = [&](int warp) {
    Blocked<T, rowsOfWarp, columns> held;
    loadBlockedLines<Tile, warps>(held, 0, 0, 0, warp);
    for (int i = 0; i < rowsOfWarp * columns / 32; ++i) {
      const int r = warp * rowsOfWarp + i / (columns / 32);
      const int c = i % (columns / 32) / 8 * 256 + lane * 8 + i % 8;
      const bool there = c < width && r * width + c < count;
      const T expected = there ? from.base[first + r * width + c] : T(0);
      demand(held.value[i] == expected, "a value of a span");
    }
  };
  for (lane = 0; lane < 32; ++lane)
    for (int warp = 0; warp < warps; ++warp)
      work(warp);
  lane = 0;
}

template <class T> void spans() {
  int count = 0;
  for (int start = 0; start < int(16 / sizeof(T)); ++start)
    for (int first : {0, 3, 504, 1009})
      for (int all : {1, 7, 500, 504, 1100, 2016, 2017, 2048, 2051, 5000}) {
        span<T, 504>(start, first, all);
        span<T, 512>(start, first, all);
        count += 2;
      }
  std::printf("%d spans of %d bytes: right\n", count, int(sizeof(T)));
}

template <class T> void launches() {
  int count = 0;
  for (int start = 0; start < int(16 / sizeof(T)); ++start)
    for (int cols : {1, 5, 257, 511, 512, 600})
      for (int rows : {1, 3, 9})
        for (auto [row, col] : {std::pair(0, 0), {2, 256}}) {
          const int stride = cols + start % 3;
          launch<T>({rows, cols, stride, start}, {rows, cols, stride, (start + 3) % 8}, row, col);
          ++count;
        }
  std::printf("%d launches of %d bytes: right\n", count, int(sizeof(T)));
}

int main() {
  launches<unsigned short>();
  launches<u32>();
  spans<unsigned short>();
  spans<u32>();
}
