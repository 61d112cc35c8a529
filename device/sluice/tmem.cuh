// Tensor memory of sm_100a: 128 lanes of 512 columns of 32 bits (PTX ISA 9.7.16.1). An address has
// the lane in bits 16 to 31 and the column in bits 0 to 15. A tile begins at lane 0.
#pragma once

#include <sluice/copy.cuh>
#include <sluice/fragment.cuh>
#include <sluice/shared_tile.cuh>

namespace sluice {

/// A row of a tile in each thread: lane l of warp w of the role has row 32w + l, all N columns.
template <class T, int N> struct Lanes : Values<T, N> {
  static constexpr int columns = N;
  static __device__ __forceinline__ constexpr int rowIndex(int) { return 0; }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i; }
};

/// Columns first .. first + count - 1, both multiples of 8, as a tile of their own.
template <int first, int count, class T, int N>
__device__ __forceinline__ Lanes<T, count> columns(const Lanes<T, N> &f) {
  constexpr int ofWord = N / int(sizeof(f.v) / sizeof(f.v[0])); // values of 16 bits: two
  Lanes<T, count> part;
#pragma unroll
  for (int i = 0; i < count / ofWord; ++i)
    part.v[i] = f.v[first / ofWord + i];
  return part;
}

/// Row of the role's tile.
__device__ __forceinline__ int laneRow(int warp) {
  return 32 * warp + laneOfWarp();
}

#ifndef SLUICE_HOST
#ifndef SLUICE_VALUES

/// PTX ISA "tcgen05.alloc": by all lanes of a warp; waits until there are so many columns, and
/// writes their address to shared memory.
template <int columns> __device__ __forceinline__ void tmemAlloc(u32 address) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address),
               "n"(columns)
               : "memory");
}
/// PTX ISA "tcgen05.relinquish_alloc_permit"
__device__ __forceinline__ void tmemRelinquish() {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
}
/// PTX ISA "tcgen05.dealloc"
template <int columns> __device__ __forceinline__ void tmemDealloc(u32 tmem) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tmem), "n"(columns)
               : "memory");
}
__device__ __forceinline__ u32 tmemAddress(u32 address) {
  return loadShared<4>(address).word[0];
}

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

/// PTX ISA "tcgen05.ld", shape .32x32b: 8 columns of the warp's lanes, into the registers that the
/// wait pins.
__device__ __forceinline__ void tmemLoad8(float *to, u32 from) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3]), "=f"(to[4]), "=f"(to[5]),
                 "=f"(to[6]), "=f"(to[7])
               : "r"(from)
               : "memory");
}
/// ... 32 columns
__device__ __forceinline__ void tmemLoad32(float *to, u32 from) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
      "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
      "%30, %31}, [%32];"
      : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3]), "=f"(to[4]), "=f"(to[5]), "=f"(to[6]),
        "=f"(to[7]), "=f"(to[8]), "=f"(to[9]), "=f"(to[10]), "=f"(to[11]), "=f"(to[12]),
        "=f"(to[13]), "=f"(to[14]), "=f"(to[15]), "=f"(to[16]), "=f"(to[17]), "=f"(to[18]),
        "=f"(to[19]), "=f"(to[20]), "=f"(to[21]), "=f"(to[22]), "=f"(to[23]), "=f"(to[24]),
        "=f"(to[25]), "=f"(to[26]), "=f"(to[27]), "=f"(to[28]), "=f"(to[29]), "=f"(to[30]),
        "=f"(to[31])
      : "r"(from)
      : "memory");
}

/// The lanes of this warp of a role of four, from column 0 of `from` on.
template <int N> __device__ __forceinline__ void tmemLoad(Lanes<float, N> &to, u32 from, int warp) {
  const u32 lanes = from + (u32(32 * warp) << 16);
#pragma unroll
  for (int i = 0; i + 32 <= N; i += 32)
    tmemLoad32(to.v + i, lanes + u32(i));
#pragma unroll
  for (int i = N / 32 * 32; i < N; i += 8)
    tmemLoad8(to.v + i, lanes + u32(i));
}

#endif // SLUICE_VALUES

/// A piece of 16 bytes of a row, converted to T, from value i on.
template <class T, class S, int N>
__device__ __forceinline__ Piece pieceOf(const Lanes<S, N> &f, int i) {
  Piece p{};
#pragma unroll
  for (int e = 0; e < 16 / int(sizeof(T)); e += 2) {
    if constexpr (sizeof(T) == 4) {
      p.word[e] = elementBits(T(f.get(i + e)));
      p.word[e + 1] = elementBits(T(f.get(i + e + 1)));
    } else if constexpr (isSame<T, S>) {
      p.word[e / 2] = f.v[(i + e) / 2];
    } else {
      p.word[e / 2] = Convert<T>::pack(f.get(i + e), f.get(i + e + 1));
    }
  }
  return p;
}

/// Registers -> shared memory, pieces of 16 bytes of each row.
template <class Tile, int warps, class T, int N>
__device__ __forceinline__ void storeLanesShared(u32 to, int row0, int col0, const Lanes<T, N> &f,
                                                 int warp) {
  using E = typename Tile::Element;
  constexpr int elements = 16 / int(sizeof(E));
  static_assert(Tile::minorDimension == 1 && N % elements == 0, "rows of whole pieces");
  const int row = row0 + laneRow(warp);
#pragma unroll
  for (int i = 0; i < N; i += elements)
    storeShared<16>(to + Tile::offset(row, col0 + i), pieceOf<E>(f, i));
}

/// Registers -> global, converted to T; elements outside the tensor are skipped. `bytes` of a row
/// at once, where contiguous and inside.
template <int warps, int bytes, class T, class S, int N>
__device__ __forceinline__ void storeLanes(const Window<T> &w, const Lanes<S, N> &f, int warp) {
  const int row = w.row + laneRow(warp);
  if (!inside(row, w.rows))
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
