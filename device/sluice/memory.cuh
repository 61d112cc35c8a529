// Loads and stores of one thread, and those of a warp by matrices of 8 x 8.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// `bytes` 1, 2, 4, 8 or 16 of memory, in the low words.
struct Piece {
  u32 word[4];
};

#ifndef SLUICE_VALUES

/// PTX ISA "ld.shared", "st.shared".
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

/// PTX ISA "ld.global", "st.global".
template <int bytes> __device__ __forceinline__ Piece loadGlobal(const void *from) {
  Piece p{};
  if constexpr (bytes == 16) {
    asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(p.word[0]), "=r"(p.word[1]), "=r"(p.word[2]), "=r"(p.word[3])
                 : "l"(from)
                 : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("ld.global.v2.b32 {%0, %1}, [%2];"
                 : "=r"(p.word[0]), "=r"(p.word[1])
                 : "l"(from)
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("ld.global.b32 %0, [%1];" : "=r"(p.word[0]) : "l"(from) : "memory");
  } else if constexpr (bytes == 1) {
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(p.word[0]) : "l"(from) : "memory");
  } else {
    u16 half;
    asm volatile("ld.global.b16 %0, [%1];" : "=h"(half) : "l"(from) : "memory");
    p.word[0] = half;
  }
  return p;
}
template <int bytes> __device__ __forceinline__ void storeGlobal(void *to, const Piece &p) {
  if constexpr (bytes == 16)
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(p.word[0]),
                 "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3])
                 : "memory");
  else if constexpr (bytes == 8)
    asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(p.word[0]), "r"(p.word[1])
                 : "memory");
  else if constexpr (bytes == 4)
    asm volatile("st.global.b32 [%0], %1;" ::"l"(to), "r"(p.word[0]) : "memory");
  else if constexpr (bytes == 1)
    asm volatile("st.global.u8 [%0], %1;" ::"l"(to), "r"(p.word[0]) : "memory");
  else
    asm volatile("st.global.b16 [%0], %1;" ::"l"(to), "h"(u16(p.word[0])) : "memory");
}

/// The same address, which a compiler takes as it is: what lies at known distances from it needs no
/// arithmetic of its own.
template <class T> __device__ __forceinline__ T *asBase(T *at) {
  asm("" : "+l"(at));
  return at;
}

/// The same where `so`, without a branch.
template <int bytes>
__device__ __forceinline__ void storeGlobalIf(bool so, void *to, const Piece &p) {
  if constexpr (bytes == 16)
    asm volatile("{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n"
                 "@so st.global.v4.b32 [%1], {%2, %3, %4, %5};\n}" ::"r"(int(so)),
                 "l"(to), "r"(p.word[0]), "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3])
                 : "memory");
  else if constexpr (bytes == 8)
    asm volatile("{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n"
                 "@so st.global.v2.b32 [%1], {%2, %3};\n}" ::"r"(int(so)),
                 "l"(to), "r"(p.word[0]), "r"(p.word[1])
                 : "memory");
  else if constexpr (bytes == 4)
    asm volatile(
        "{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n@so st.global.b32 [%1], %2;\n}" ::"r"(int(so)),
        "l"(to), "r"(p.word[0])
        : "memory");
  else if constexpr (bytes == 2)
    asm volatile(
        "{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n@so st.global.b16 [%1], %2;\n}" ::"r"(int(so)),
        "l"(to), "h"(u16(p.word[0]))
        : "memory");
  else
    asm volatile(
        "{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n@so st.global.b8 [%1], %2;\n}" ::"r"(int(so)),
        "l"(to), "r"(p.word[0])
        : "memory");
}

/// The line of 128 bytes that has the byte at `at`. PTX ISA "prefetch".
__device__ __forceinline__ void prefetchL2(const void *at) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/// PTX ISA "cp.async": `bytes` 16, 8 or 4, of which `valid` are read and the others become zero.
template <int bytes> __device__ __forceinline__ void cpAsync(u32 to, const void *from, int valid) {
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(valid)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes),
                 "r"(valid)
                 : "memory");
}

/// Matrices of 8 x 8 elements of 16 bits: a lane gives the address of one row of 16 bytes, and has
/// two neighbours of each matrix. PTX ISA "stmatrix", "ldmatrix"; transposed: .trans.
__device__ __forceinline__ void storeMatrices(u32 to, u32 x0, u32 x1, u32 x2, u32 x3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to),
               "r"(x0), "r"(x1), "r"(x2), "r"(x3)
               : "memory");
}
__device__ __forceinline__ void storeTransposed(u32 to, u32 x0, u32 x1, u32 x2, u32 x3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to),
               "r"(x0), "r"(x1), "r"(x2), "r"(x3)
               : "memory");
}
__device__ __forceinline__ void storeTransposed(u32 to, u32 x0, u32 x1) {
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(x0),
               "r"(x1)
               : "memory");
}
__device__ __forceinline__ void loadMatrices(u32 from, u32 &x0, u32 &x1, u32 &x2, u32 &x3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x0), "=r"(x1), "=r"(x2), "=r"(x3)
               : "r"(from)
               : "memory");
}
__device__ __forceinline__ void loadTransposed(u32 from, u32 &x0, u32 &x1, u32 &x2, u32 &x3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x0), "=r"(x1), "=r"(x2), "=r"(x3)
               : "r"(from)
               : "memory");
}
__device__ __forceinline__ void loadTransposed(u32 from, u32 &x0, u32 &x1) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(x0), "=r"(x1)
               : "r"(from)
               : "memory");
}

#endif // SLUICE_VALUES

} // namespace sluice

#ifdef SLUICE_VALUES
#include <sluice/values_memory.cuh>
#endif
