// Tiles that a role keeps in registers. PTX ISA "Register fragments for wgmma.mma_async": warpgroup
// w of the role has rows 64w .. 64w+63 of every block of 64 * warpgroups rows, warp v of it rows
// 16v .. 16v+15; lane l has columns 8j + 2(l%4), 8j + 2(l%4) + 1 of rows l/4 and l/4 + 8.
#pragma once

#include <sluice/number.cuh>

namespace sluice {

/// Even-sized array of one thread's values; 16-bit types two to a register, the even one low.
/// Numbers of s32 are values of their own kind, which become f32 where a tile of such takes them.
template <class T, int size> struct Values {
  using Element = T;
  static constexpr int count = size;
  u32 v[size / 2];

  __device__ __forceinline__ float get(int i) const {
    return toFloat(T{u16(i % 2 ? v[i / 2] >> 16 : v[i / 2])});
  }
  /// Values i (even) and i + 1.
  __device__ __forceinline__ void put(int i, float x0, float x1) {
    v[i / 2] = Convert<T>::pack(x0, x1);
  }
};
template <class T, int size> struct WordValues {
  using Element = T;
  static constexpr int count = size;
  T v[size];

  __device__ __forceinline__ T get(int i) const { return v[i]; }
  __device__ __forceinline__ void set(int i, T x) { v[i] = x; }
  __device__ __forceinline__ void put(int i, T x0, T x1) {
    v[i] = x0;
    v[i + 1] = x1;
  }
};
/// Types of 8 bits, two to a word of 16, the even one low.
template <class T, int size> struct ByteValues {
  using Element = T;
  static constexpr int count = size;
  u16 v[size / 2];

  __device__ __forceinline__ float get(int i) const {
    return toFloat(T{u8(i % 2 ? v[i / 2] >> 8 : v[i / 2])});
  }
  __device__ __forceinline__ void put(int i, float x0, float x1) {
    v[i / 2] = u16(Convert<T>::pack(x0, x1));
  }
};
template <int size> struct Values<e4m3, size> : ByteValues<e4m3, size> {};
template <int size> struct Values<e5m2, size> : ByteValues<e5m2, size> {};
/// Numbers of s8 are values of their own kind, as those of s32.
template <int size> struct Values<s8, size> {
  using Element = s8;
  static constexpr int count = size;
  u16 v[size / 2];

  __device__ __forceinline__ int get(int i) const {
    return static_cast<signed char>(i % 2 ? v[i / 2] >> 8 : v[i / 2]);
  }
  __device__ __forceinline__ void put(int i, int x0, int x1) {
    v[i / 2] = u16((x0 & 255) | (x1 & 255) << 8);
  }
};
template <int size> struct Values<float, size> : WordValues<float, size> {};
template <int size> struct Values<int, size> : WordValues<int, size> {};

/// `blocks` times 64 rows per warpgroup, N columns: wgmma's accumulator (float, int) and, in 16
/// bits, its A operand; value i of both is the same element.
template <class T, int N, int blocks = 1> struct Fragment : Values<T, blocks * N / 2> {
  static constexpr int columns = N;
  static constexpr int rowBlocks = blocks;
  /// Index in a RowVector and in a ColVector.
  static __device__ __forceinline__ constexpr int rowIndex(int i) {
    return 2 * (i / (N / 2)) + i / 2 % 2;
  }
  static __device__ __forceinline__ constexpr int colIndex(int i) {
    return 2 * (i % (N / 2) / 4) + i % 2;
  }
  /// Number of value i of the columns first .. first + count - 1, both multiples of 8.
  template <int first, int count> static __device__ __forceinline__ constexpr int within(int i) {
    return i / (count / 2) * (N / 2) + first / 2 + i % (count / 2);
  }
};

/// Columns first .. first + count - 1, both multiples of 8, as a fragment of their own.
template <int first, int count, class T, int N, int blocks>
__device__ __forceinline__ Fragment<T, count, blocks> columns(const Fragment<T, N, blocks> &f) {
  constexpr int values = sizeof(f.v) / sizeof(f.v[0]) / blocks; // 16-bit ones two to a register
  constexpr int taken = values * count / N;
  Fragment<T, count, blocks> part;
#pragma unroll
  for (int i = 0; i < blocks * taken; ++i)
    part.v[i] = f.v[i / taken * values + values * first / N + i % taken];
  return part;
}

/// One value per row, the same in the four lanes that share the row.
template <class T, int blocks = 1> struct RowVector : Values<T, 2 * blocks> {
  static __device__ __forceinline__ constexpr int rowIndex(int i) { return i; }
  static __device__ __forceinline__ constexpr int colIndex(int) { return 0; }
};

#ifndef SLUICE_HOST

/// Value of another lane. PTX ISA "shfl.sync".
template <class T> __device__ __forceinline__ T laneValue(T x, int lane) {
  return __shfl_sync(0xffffffffu, x, lane);
}

#endif // SLUICE_HOST

/// One value per column, the same in every warp. A lane holds columns 2l and 2l + 1 of every 64,
/// and asks the others for those of its fragments, which are indexed as there: all lanes of a warp
/// call get together.
template <class T, int N> struct ColVector : Values<T, (N + 63) / 64 * 2> {
  using Held = Values<T, (N + 63) / 64 * 2>;
  static constexpr int columns = N;
  static __device__ __forceinline__ constexpr int rowIndex(int) { return 0; }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i; }

  __device__ __forceinline__ float get(int i) const {
    return laneValue(Held::get(i / 16 * 2 + i % 2), i / 2 % 8 * 4 + laneOfWarp() % 4);
  }
  __device__ __forceinline__ void set(int i, float x) {
    if (i / 2 % 8 == laneOfWarp() / 4)
      Held::set(i / 16 * 2 + i % 2, x);
  }
  __device__ __forceinline__ void put(int i, float x0, float x1) {
    if (i / 2 % 8 == laneOfWarp() / 4)
      Held::put(i / 16 * 2, x0, x1);
  }
};

/// Row of the role's tile; `index` is a rowIndex, `warp` the warp of the role.
template <int warps> __device__ __forceinline__ int fragmentRow(int index, int warp) {
  return (index / 2 * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + laneOfWarp() / 4 +
         index % 2 * 8;
}
/// Column of the tile; `index` is a colIndex.
__device__ __forceinline__ int fragmentCol(int index) {
  return index / 2 * 8 + laneOfWarp() % 4 * 2 + index % 2;
}

#ifndef SLUICE_HOST

/// Value of the lane whose number differs in the bits of `mask`. PTX ISA "shfl.sync".
__device__ __forceinline__ float laneXor(float x, int mask) {
  return __shfl_xor_sync(0xffffffffu, x, mask);
}
__device__ __forceinline__ u32 laneXor(u32 x, int mask) {
  return __shfl_xor_sync(0xffffffffu, x, mask);
}

#endif // SLUICE_HOST

struct Larger {
  static constexpr bool isSum = false;
  static __device__ __forceinline__ float of(float x, float y) { return fmaxf(x, y); }
  template <class S> static __device__ __forceinline__ u32 ofPairs(u32 x, u32 y) {
    return largerOfPairs(S{}, x, y);
  }
};
/// NaN where any is.
struct Maximum {
  static constexpr bool isSum = false;
  static __device__ __forceinline__ float of(float x, float y) { return maximum(x, y); }
  template <class S> static __device__ __forceinline__ u32 ofPairs(u32 x, u32 y) {
    return maximumOfPairs(S{}, x, y);
  }
};
struct Sum {
  static constexpr bool isSum = true;
  static __device__ __forceinline__ float of(float x, float y) { return x + y; }
};

/// Folds the rows of a tile: first the columns of the thread, then those of its quad.
template <class Fold, class T, class Frag, int blocks>
__device__ __forceinline__ void foldRows(RowVector<T, blocks> &to, const Frag &f) {
  static_assert(blocks == Frag::rowBlocks, "as many rows");
  float folded[2 * blocks];
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i)
    folded[i] = Fold::isSum ? 0.0f : -__int_as_float(0x7f800000);
#pragma unroll
  for (int i = 0; i < Frag::count; ++i)
    folded[Frag::rowIndex(i)] = Fold::of(folded[Frag::rowIndex(i)], f.get(i));
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i) {
    folded[i] = Fold::of(folded[i], laneXor(folded[i], 1));
    folded[i] = Fold::of(folded[i], laneXor(folded[i], 2));
  }
#pragma unroll
  for (int i = 0; i < 2 * blocks; i += 2)
    to.put(i, folded[i], folded[i + 1]);
}
template <class T, class Frag, int blocks>
__device__ __forceinline__ void maxOfRows(RowVector<T, blocks> &to, const Frag &f) {
  foldRows<Larger>(to, f);
}
template <class T, class Frag, int blocks>
__device__ __forceinline__ void maximumOfRows(RowVector<T, blocks> &to, const Frag &f) {
  foldRows<Maximum>(to, f);
}
template <class T, class Frag, int blocks>
__device__ __forceinline__ void sumOfRows(RowVector<T, blocks> &to, const Frag &f) {
  foldRows<Sum>(to, f);
}

#ifndef SLUICE_HOST

#ifndef SLUICE_VALUES

/// Ties registers to this place: no read or write of them moves across.
template <int size> __device__ __forceinline__ void pin(Values<float, size> &f) {
#pragma unroll
  for (int i = 0; i < size; ++i)
    asm volatile("" : "+f"(f.v[i])::"memory");
}
template <int size> __device__ __forceinline__ void pin(Values<int, size> &f) {
#pragma unroll
  for (int i = 0; i < size; ++i)
    asm volatile("" : "+r"(f.v[i])::"memory");
}
template <class T, int size> __device__ __forceinline__ void pin(Values<T, size> &f) {
#pragma unroll
  for (int i = 0; i < size / 2; ++i)
    asm volatile("" : "+r"(f.v[i])::"memory");
}

#endif // SLUICE_VALUES
#endif // SLUICE_HOST

template <class T, int size, class X>
__device__ __forceinline__ void fill(Values<T, size> &f, X x) {
#pragma unroll
  for (int i = 0; i < size; i += 2)
    f.put(i, x, x);
}

/// Element by element, converted; both have the same layout.
template <class T, class S, int size>
__device__ __forceinline__ void assign(Values<T, size> &to, const Values<S, size> &from) {
#pragma unroll
  for (int i = 0; i < size; i += 2)
    to.put(i, from.get(i), from.get(i + 1));
}

} // namespace sluice
