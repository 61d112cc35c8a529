// Tensor memory of sm_100a: 128 lanes of 512 columns of 32 bits (PTX ISA 9.7.16.1). An address has
// the lane in bits 16 to 31 and the column in bits 0 to 15. A tile begins at lane 0.
#pragma once

#include <sluice/blocked.cuh>
#include <sluice/fragment.cuh>
#include <sluice/shared_tile.cuh>

namespace sluice {

/// A row of a tile in each thread: lane l of warp w of the role has row 32w + l, all N columns. Of
/// a tile of 64 rows a warp has 16, in its first lanes; what the others hold is no part of it.
/// Beside one number a row lies another one, which makes them even.
template <class T, int N, int rows = 32> struct Lanes : Values<T, N + N % 2> {
  static constexpr int columns = N;
  static __device__ __forceinline__ constexpr int rowIndex(int) { return 0; }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i; }
};

/// Columns first .. first + count - 1, both multiples of 8, as a tile of their own.
template <int first, int count, class T, int N, int rows>
__device__ __forceinline__ Lanes<T, count, rows> columns(const Lanes<T, N, rows> &f) {
  constexpr int ofWord = N / int(sizeof(f.v) / sizeof(f.v[0])); // values of 16 bits: two
  Lanes<T, count, rows> part;
#pragma unroll
  for (int i = 0; i < count / ofWord; ++i)
    part.v[i] = f.v[first / ofWord + i];
  return part;
}

/// Folds the rows of a tile, each of one thread: four columns side by side, as one step waits for
/// the one before.
template <class Fold, class T, class S, int N, int rows>
__device__ __forceinline__ void foldRows(Lanes<T, 1, rows> &to, const Lanes<S, N, rows> &f) {
  float part[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    part[i] = Fold::isSum ? 0.0f : -__int_as_float(0x7f800000);
#pragma unroll
  for (int i = 0; i < N; ++i)
    part[i % 4] = Fold::of(part[i % 4], f.get(i));
  to.set(0, Fold::of(Fold::of(part[0], part[1]), Fold::of(part[2], part[3])));
}
template <class T, class S, int N, int rows>
__device__ __forceinline__ void maxOfRows(Lanes<T, 1, rows> &to, const Lanes<S, N, rows> &f) {
  foldRows<Larger>(to, f);
}
template <class T, class S, int N, int rows>
__device__ __forceinline__ void maximumOfRows(Lanes<T, 1, rows> &to, const Lanes<S, N, rows> &f) {
  foldRows<Maximum>(to, f);
}
template <class T, class S, int N, int rows>
__device__ __forceinline__ void sumOfRows(Lanes<T, 1, rows> &to, const Lanes<S, N, rows> &f) {
  foldRows<Sum>(to, f);
}

/// An operand of a product, of elements A: the address of its first column.
template <class A> struct TmemOperand { u32 address; };
template <class A> __device__ __forceinline__ TmemOperand<A> tmemOperand(u32 address) {
  return {address};
}

/// Row of the role's tile.
template <int rows = 32> __device__ __forceinline__ int laneRow(int warp) {
  return rows * warp + laneOfWarp();
}
/// Whether the lane has one.
template <int rows> __device__ __forceinline__ bool laneHasRow() {
  return rows == 32 || laneOfWarp() < rows;
}

#ifndef SLUICE_HOST
__device__ __forceinline__ u32 tmemAddress(u32 address) {
  return loadShared<4>(address).word[0];
}

#ifdef SLUICE_VALUES
} // namespace sluice
#include <sluice/values_tmem.cuh>
namespace sluice {
#else

// Of a pair (ctas = 2) a warp of each CTA does it; the first may wait for the other.
#define SLUICE_TMEM_OF(one, of, ...)                                                               \
  if constexpr (ctas == 1)                                                                         \
    asm volatile(one ".cta_group::1" of __VA_ARGS__ : "memory");                                   \
  else                                                                                             \
    asm volatile(one ".cta_group::2" of __VA_ARGS__ : "memory")

/// PTX ISA "tcgen05.alloc": by all lanes of a warp; waits until there are so many columns, and
/// writes their address to shared memory.
template <int columns, int ctas = 1> __device__ __forceinline__ void tmemAlloc(u32 address) {
  SLUICE_TMEM_OF("tcgen05.alloc", ".sync.aligned.shared::cta.b32 [%0], %1;", ::"r"(address),
                 "n"(columns));
}
/// PTX ISA "tcgen05.relinquish_alloc_permit"
template <int ctas = 1> __device__ __forceinline__ void tmemRelinquish() {
  SLUICE_TMEM_OF("tcgen05.relinquish_alloc_permit", ".sync.aligned;", ::);
}
/// PTX ISA "tcgen05.dealloc"
template <int columns, int ctas = 1> __device__ __forceinline__ void tmemDealloc(u32 tmem) {
  SLUICE_TMEM_OF("tcgen05.dealloc", ".sync.aligned.b32 %0, %1;", ::"r"(tmem), "n"(columns));
}
#undef SLUICE_TMEM_OF

/// PTX ISA "tcgen05.fence": what this thread has asked of tensor memory before what comes after
template <int sync = 0> __device__ __forceinline__ void fenceTmemBefore() {
  asm volatile("tcgen05.fence::before_thread_sync; // sync %0" ::"n"(sync) : "memory");
}
/// ... what it asks from here on after what came before
template <int sync = 0> __device__ __forceinline__ void fenceTmemAfter() {
  asm volatile("tcgen05.fence::after_thread_sync; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "tcgen05.wait": the values of earlier loads have come; later reads of `tiles` stay
/// behind it.
template <int sync = 0, class... Tiles> __device__ __forceinline__ void tmemWait(Tiles &...tiles) {
  asm volatile("tcgen05.wait::ld.sync.aligned; // sync %0" ::"n"(sync) : "memory");
  (pin(tiles), ...);
}

/// PTX ISA "tcgen05.ld", shape .32x32b: 8 or 32 columns of the warp's lanes, into the registers
/// that the wait pins.
#define SLUICE_TMEM_LOADS(T, R)                                                                    \
  __device__ __forceinline__ void tmemLoad8(T *to, u32 from) {                                     \
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"   \
                 : R(to[0]), R(to[1]), R(to[2]), R(to[3]), R(to[4]), R(to[5]), R(to[6]), R(to[7])  \
                 : "r"(from)                                                                       \
                 : "memory");                                                                      \
  }                                                                                                \
  __device__ __forceinline__ void tmemLoad32(T *to, u32 from) {                                    \
    asm volatile(                                                                                  \
        "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "    \
        "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "    \
        "%28, %29, %30, %31}, [%32];"                                                              \
        : R(to[0]), R(to[1]), R(to[2]), R(to[3]), R(to[4]), R(to[5]), R(to[6]), R(to[7]),          \
          R(to[8]), R(to[9]), R(to[10]), R(to[11]), R(to[12]), R(to[13]), R(to[14]), R(to[15]),    \
          R(to[16]), R(to[17]), R(to[18]), R(to[19]), R(to[20]), R(to[21]), R(to[22]), R(to[23]),  \
          R(to[24]), R(to[25]), R(to[26]), R(to[27]), R(to[28]), R(to[29]), R(to[30]), R(to[31])   \
        : "r"(from)                                                                                \
        : "memory");                                                                               \
  }
SLUICE_TMEM_LOADS(float, "=f")
SLUICE_TMEM_LOADS(int, "=r")
#undef SLUICE_TMEM_LOADS

/// PTX ISA "tcgen05.wait": earlier stores lie in tensor memory
template <int sync = 0> __device__ __forceinline__ void tmemWaitStores() {
  asm volatile("tcgen05.wait::st.sync.aligned; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "tcgen05.st", shape .32x32b: 8 or 32 columns of the warp's lanes.
#define SLUICE_TMEM_STORES(T, R)                                                                   \
  __device__ __forceinline__ void tmemStore8(u32 to, const T *v) {                                 \
    asm volatile(                                                                                  \
        "tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"r"(to), \
        R(v[0]), R(v[1]), R(v[2]), R(v[3]), R(v[4]), R(v[5]), R(v[6]), R(v[7])                     \
        : "memory");                                                                               \
  }                                                                                                \
  __device__ __forceinline__ void tmemStore32(u32 to, const T *v) {                                \
    asm volatile(                                                                                  \
        "tcgen05.st.sync.aligned.32x32b.x32.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "  \
        "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "    \
        "%28, %29, %30, %31, %32};" ::"r"(to),                                                     \
        R(v[0]), R(v[1]), R(v[2]), R(v[3]), R(v[4]), R(v[5]), R(v[6]), R(v[7]), R(v[8]), R(v[9]),  \
        R(v[10]), R(v[11]), R(v[12]), R(v[13]), R(v[14]), R(v[15]), R(v[16]), R(v[17]), R(v[18]),  \
        R(v[19]), R(v[20]), R(v[21]), R(v[22]), R(v[23]), R(v[24]), R(v[25]), R(v[26]), R(v[27]),  \
        R(v[28]), R(v[29]), R(v[30]), R(v[31])                                                     \
        : "memory");                                                                               \
  }
SLUICE_TMEM_STORES(float, "f")
SLUICE_TMEM_STORES(int, "r")
SLUICE_TMEM_STORES(u32, "r")
#undef SLUICE_TMEM_STORES

#endif // SLUICE_VALUES

/// Of values of 16 bits a column has two, the even one low.
template <class T, int N, int rows>
__device__ __forceinline__ void tmemStore(u32 to, const Lanes<T, N, rows> &f, int warp) {
  constexpr int words = N * int(sizeof(T)) / 4;
  const u32 lanes = to + (u32(32 * warp) << 16);
#pragma unroll
  for (int i = 0; i + 32 <= words; i += 32)
    tmemStore32(lanes + u32(i), f.v + i);
#pragma unroll
  for (int i = words / 32 * 32; i < words; i += 8)
    tmemStore8(lanes + u32(i), f.v + i);
}

/// The lanes of this warp of a role of four, from column 0 of `from` on.
template <class T, int N, int rows>
__device__ __forceinline__ void tmemLoad(Lanes<T, N, rows> &to, u32 from, int warp) {
  const u32 lanes = from + (u32(32 * warp) << 16);
#pragma unroll
  for (int i = 0; i + 32 <= N; i += 32)
    tmemLoad32(to.v + i, lanes + u32(i));
#pragma unroll
  for (int i = N / 32 * 32; i < N; i += 8)
    tmemLoad8(to.v + i, lanes + u32(i));
}

/// A piece of 16 bytes of a row, converted to T, from value i on.
template <class T, class S, int N, int rows>
__device__ __forceinline__ Piece pieceOf(const Lanes<S, N, rows> &f, int i) {
  Piece p{};
#pragma unroll
  for (int e = 0; e < 16 / int(sizeof(T)); e += 2) {
    if constexpr (sizeof(T) == 4) {
      p.word[e] = elementBits(T(f.get(i + e)));
      p.word[e + 1] = elementBits(T(f.get(i + e + 1)));
    } else if constexpr (isSame<T, S>) {
      p.word[e / 2] = f.v[(i + e) / 2];
    } else if constexpr (sizeof(T) == 1) {
      p.word[e / 4] |= Convert<T>::pack(f.get(i + e), f.get(i + e + 1)) << 8 * (e % 4);
    } else {
      p.word[e / 2] = Convert<T>::pack(f.get(i + e), f.get(i + e + 1));
    }
  }
  return p;
}

/// Registers -> shared memory, pieces of 16 bytes of each row, or its one number.
template <class Tile, int warps, class T, int N, int rows>
__device__ __forceinline__ void storeLanesShared(u32 to, int row0, int col0,
                                                 const Lanes<T, N, rows> &f, int warp) {
  using E = typename Tile::Element;
  constexpr int elements = 16 / int(sizeof(E));
  static_assert(N == 1 || (Tile::minorDimension == 1 && N % elements == 0),
                "rows of whole pieces, or of one number");
  const int row = row0 + laneRow<rows>(warp);
  if (!laneHasRow<rows>())
    return;
  if constexpr (N == 1) {
    storeShared<sizeof(E)>(to + Tile::offset(row, col0),
                           Piece{{elementBits(Convert<E>::from(f.get(0)))}});
  } else {
#pragma unroll
    for (int i = 0; i < N; i += elements)
      storeShared<16>(to + Tile::offset(row, col0 + i), pieceOf<E>(f, i));
  }
}
/// Shared memory -> registers: the one number of each row, or pieces of 16 bytes of words.
template <class Tile, int warps, class T, int N, int rows>
__device__ __forceinline__ void loadLanesShared(Lanes<T, N, rows> &f, u32 from, int row0, int col0,
                                                int warp) {
  using E = typename Tile::Element;
  static_assert(N == 1 || (Tile::minorDimension == 1 && sizeof(E) == 4 && N % 4 == 0),
                "rows of whole pieces of words, or of one number");
  if (!laneHasRow<rows>())
    return;
  const int row = row0 + laneRow<rows>(warp);
  if constexpr (N == 1) {
    f.set(0, valueOf(elementOf<E>(loadShared<sizeof(E)>(from + Tile::offset(row, col0)).word[0])));
  } else {
#pragma unroll
    for (int i = 0; i < N; i += 4) {
      const Piece p = loadShared<16>(from + Tile::offset(row, col0 + i));
#pragma unroll
      for (int e = 0; e < 4; ++e)
        f.set(i + e, valueOf(elementOf<E>(p.word[e])));
    }
  }
}
/// Registers -> shared memory of a peer, two words of a row at a time. PTX ISA "st.async".
template <class Tile, int warps, class T, int N, int rows>
__device__ __forceinline__ void
storeLanesToPeer(u32 to, int row0, int col0, const Lanes<T, N, rows> &f, u32 barrier, int warp) {
  static_assert(Tile::minorDimension == 1 && isSame<T, typename Tile::Element> && sizeof(T) == 4,
                "words of the tile's own type, along its rows");
  if (!laneHasRow<rows>())
    return;
  const int row = row0 + laneRow<rows>(warp);
#pragma unroll
  for (int i = 0; i < N; i += 2)
    storeToPeer<8>(to + Tile::offset(row, col0 + i),
                   Piece{{elementBits(f.get(i)), elementBits(f.get(i + 1))}}, barrier);
}

/// Global -> registers, `bytes` at a time; zero where the tensor has no element.
template <int warps, int bytes, class T, class S, int N, int rows>
__device__ __forceinline__ void loadLanes(Lanes<S, N, rows> &f, const Window<T> &w, int warp) {
  const int row = w.row + laneRow<rows>(warp);
  const int last = laneHasRow<rows>() && inside(row, w.rows) ? w.cols : 0;
  const T *const line = w.base + row * w.rowStride;
  if constexpr (N == 1) {
    const auto number = inside(w.col, last) ? valueOf(line[w.col * w.colStride]) : 0;
    f.put(0, number, number); // of 16 bits in one word
  } else {
#pragma unroll
    for (int i = 0; i < N; i += 8)
      setEight(f, i, loadEight<bytes, Edge::elements>(line, w.colStride, w.col + i, last));
  }
}

/// Registers -> global, converted to T; elements outside the tensor are skipped. `bytes` of a row
/// at once, where contiguous and inside.
template <int warps, int bytes, class T, class S, int N, int rows>
__device__ __forceinline__ void storeLanes(const Window<T> &w, const Lanes<S, N, rows> &f,
                                           int warp) {
  const int row = w.row + laneRow<rows>(warp);
  if (!laneHasRow<rows>() || !inside(row, w.rows))
    return;
  T *line = w.base + row * w.rowStride + w.col * w.colStride;
  constexpr int elements = 16 / int(sizeof(T));
#pragma unroll
  for (int i = 0; i < N; i += elements) {
    const bool whole = bytes == 16 && N % elements == 0 && inside(w.col + i, w.cols) &&
                       inside(w.col + i + elements - 1, w.cols);
    if (whole) {
      storeGlobal<16>(line + i, pieceOf<T>(f, i));
      continue;
    }
#pragma unroll
    for (int e = i; e < (i + elements < N ? i + elements : N); ++e)
      if (inside(w.col + e, w.cols))
        line[e * w.colStride] = Convert<T>::from(f.get(e));
  }
}

#endif // SLUICE_HOST

} // namespace sluice
