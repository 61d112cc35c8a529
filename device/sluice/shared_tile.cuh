// Tiles in shared memory: where element (row, column) of a slot lies.
#pragma once

#include <sluice/number.cuh>

namespace sluice {

/// rows x cols elements; `minor` is the contiguous dimension (1: columns). A line is one index of
/// the other dimension. `span` 32, 64 or 128: chunks of that many bytes of the minor dimension, in
/// a chunk line after line, 16-byte units XORed over 8 lines of 128 bytes (PTX ISA "Tensors:
/// swizzling modes"; the slot starts at a multiple of 8 * span). Wider: such chunks as they are,
/// 256 elements wide. `span` 0: dense lines.
template <class T, int rows, int cols, int minor, int span> struct SharedTile {
  using Element = T;
  static constexpr int swizzle = span <= 128 ? span : 0;
  static constexpr int minorDimension = minor;
  static constexpr int lines = minor == 1 ? rows : cols;
  static constexpr int lineElements = minor == 1 ? cols : rows;
  static constexpr int lineBytes = lineElements * int(sizeof(T));
  static constexpr int chunkBytes = span ? lines * span : 0;
  static constexpr int chunkElements = span / int(sizeof(T));

  /// Bytes from the start of the slot to byte `byte` of line `line`.
  static __device__ __forceinline__ u32 offsetInLine(int line, int byte) {
    if constexpr (span == 0) {
      return u32(line * lineBytes + byte);
    } else {
      u32 address = u32(line * span + byte % span);
      constexpr u32 mask = swizzle ? swizzle / 16 - 1 : 0;
      return u32(byte / span) * chunkBytes + (address ^ ((address >> 7 & mask) << 4));
    }
  }
  static __device__ __forceinline__ u32 offset(int row, int col) {
    return minor == 1 ? offsetInLine(row, col * int(sizeof(T)))
                      : offsetInLine(col, row * int(sizeof(T)));
  }
};

/// The slots of a buffer; an index gives the address of a slot.
template <class TileType, int slotBytes> struct Buffer {
  using Tile = TileType;
  u32 base;
  __device__ __forceinline__ u32 operator[](int slot) const { return base + u32(slot * slotBytes); }
};

#ifndef SLUICE_HOST

/// PTX ISA "ld.shared", "st.shared": `bytes` 1, 2, 4, 8 or 16 in the low words of `value`.
struct Piece {
  u32 word[4];
};

template <int bytes> __device__ __forceinline__ Piece loadShared(u32 from) {
  Piece p{};
  if constexpr (bytes == 16) {
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(p.word[0]), "=r"(p.word[1]), "=r"(p.word[2]), "=r"(p.word[3])
                 : "r"(from)
                 : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                 : "=r"(p.word[0]), "=r"(p.word[1])
                 : "r"(from)
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(p.word[0]) : "r"(from) : "memory");
  } else if constexpr (bytes == 1) {
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(p.word[0]) : "r"(from) : "memory");
  } else {
    u16 half;
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(half) : "r"(from) : "memory");
    p.word[0] = half;
  }
  return p;
}
/// 16 bytes, read wherever it stands (PTX ISA "ld.volatile"): ptxas does not keep what was read
/// before in registers instead.
__device__ __forceinline__ Piece loadSharedAgain(u32 from) {
  Piece p;
  asm volatile("ld.volatile.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(p.word[0]), "=r"(p.word[1]), "=r"(p.word[2]), "=r"(p.word[3])
               : "r"(from)
               : "memory");
  return p;
}

template <int bytes> __device__ __forceinline__ void storeShared(u32 to, const Piece &p) {
  if constexpr (bytes == 16)
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(p.word[0]),
                 "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3])
                 : "memory");
  else if constexpr (bytes == 8)
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(to), "r"(p.word[0]), "r"(p.word[1])
                 : "memory");
  else if constexpr (bytes == 4)
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(p.word[0]) : "memory");
  else if constexpr (bytes == 1)
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(to), "r"(p.word[0]) : "memory");
  else
    asm volatile("st.shared.b16 [%0], %1;" ::"r"(to), "h"(u16(p.word[0])) : "memory");
}

/// PTX ISA "st.async": 4 or 8 bytes into the shared memory of a CTA of the cluster, whose barrier
/// counts them. Both addresses are of the cluster.
template <int bytes>
__device__ __forceinline__ void storeToPeer(u32 to, const Piece &p, u32 barrier) {
  static_assert(bytes == 4 || bytes == 8, "a word or two");
  if constexpr (bytes == 8)
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, "
        "[%3];" ::"r"(to),
        "r"(p.word[0]), "r"(p.word[1]), "r"(barrier)
        : "memory");
  else
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
        "r"(p.word[0]), "r"(barrier)
        : "memory");
}

/// One i32 of a tile of numbers.
__device__ __forceinline__ int loadNumber(u32 from) {
  return int(loadShared<4>(from).word[0]);
}
__device__ __forceinline__ void storeNumber(u32 to, int number) {
  storeShared<4>(to, Piece{{u32(number)}});
}

/// One element as a piece and back.
__device__ __forceinline__ u32 elementBits(float x) {
  return __float_as_uint(x);
}
__device__ __forceinline__ u32 elementBits(int x) {
  return u32(x);
}
__device__ __forceinline__ u32 elementBits(f16 x) {
  return x.bits;
}
__device__ __forceinline__ u32 elementBits(bf16 x) {
  return x.bits;
}
template <class T> __device__ __forceinline__ T elementOf(u32 bits) {
  if constexpr (isSame<T, int>)
    return int(bits);
  else if constexpr (sizeof(T) == 4)
    return __uint_as_float(bits);
  else if constexpr (isSame<T, s8>)
    return s8{static_cast<signed char>(bits)};
  else
    return T{u16(bits)};
}

#endif // SLUICE_HOST

} // namespace sluice
