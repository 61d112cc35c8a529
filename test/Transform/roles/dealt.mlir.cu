// Kernel dealt for sm_90a, printed by sluice.
// 352 threads, 147712 bytes of dynamic shared memory.
// Roles: epilogue (warps 0..3), multiply (warps 4..7), load_a (warps 8..8), load_b (warps 9..9),
//   out (warps 10..10).
// Plan: A[512,512] B[512,512] C[512,512] on h100.
// Verdict: proven: every launch
//   assuming warps-converge: the lanes of a warp come to and leave a wait together
//   assuming aligned: the base and strides of A are multiples of 16 bytes (checked at launch)
//   assuming aligned: the base and strides of B are multiples of 16 bytes (checked at launch)
//   assuming aligned: the base and strides of C are multiples of 16 bytes (checked at launch)
//   assuming apart: C shares no memory with A, B (checked at launch)
//
//   barrier          slots  count  bytes  offset  who arrives -> who waits
//   full_acc_shared      1      4      -  147456  multiply warps 4-7 -> epilogue warps 0-3
//   full_a               4      1   8192  147464
//       TMA of load_a warp 8, load_a warp 8 -> multiply warps 4-7
//   empty_a              4      4      -  147496  multiply warps 4-7 -> load_a warp 8
//   full_b               4      1  16384  147528
//       TMA of load_b warp 9, load_b warp 9 -> multiply warps 4-7
//   empty_b              4      4      -  147560  multiply warps 4-7 -> load_b warp 9
//   full_c_staging       1      4      -  147592  epilogue warps 0-3 -> out warp 10
//   named 0              -    352      -       -  warps 0-10 -> warps 0-10
//
//   shared memory    slots  bytes  offset  tile
//   acc_shared           1  32768       0  f32 64 x 128 sw128
//   a                    4   8192   32768  f16 64 x 64 sw128
//   b                    4  16384   65536  f16 64 x 128 sw128
//   c_staging            1  16384  131072  f16 64 x 128 sw128

// ---- sluice/device.cuh
// Everything that printed kernels use. C++17, sm_90a, nvcc or NVRTC, no other header. `sync`, the
// last template argument of what synchronises, is its number: a comment in the PTX, and no more.


// ---- sluice/base.cuh
// Words every other header speaks: integer types, warps and lanes, addresses of shared memory.


namespace sluice {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

template <class A, class B> constexpr bool isSame = false;
template <class A> constexpr bool isSame<A, A> = true;

/// b is positive.
__device__ __forceinline__ int ceilDiv(int a, int b) {
  return a / b + (a % b > 0);
}

/// 0 <= i < extent.
__device__ __forceinline__ bool inside(int i, int extent) {
  return u32(i) < u32(extent > 0 ? extent : 0);
}


/// Warp of the CTA, in a register that the compiler knows to be the same for all lanes.
__device__ __forceinline__ int warpOfCta() {
  return __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
}

__device__ __forceinline__ int laneOfWarp() {
  return int(threadIdx.x % 32);
}

/// Address in the shared window, what every instruction on shared memory takes; the same for all
/// lanes. Handed through a shuffle, so that it stays in a register: ptxas would else read the
/// number of the CTA in its cluster again for every use.
__device__ __forceinline__ u32 sharedAddress(const void *p) {
  return __shfl_sync(0xffffffffu, static_cast<u32>(__cvta_generic_to_shared(p)), 0);
}

/// The same place in CTA `rank` of the cluster. PTX ISA "mapa".
__device__ __forceinline__ u32 addressInCluster(u32 address, u32 rank) {
  u32 result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}

/// Rank of the CTA in its cluster. PTX ISA "%cluster_ctarank".
__device__ __forceinline__ int clusterRank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return int(rank);
}

/// True in one lane, after all lanes of the warp have done what stands before: a warp is one agent
/// to the checker. All lanes call it. PTX ISA "elect.sync", "bar.warp.sync".
__device__ __forceinline__ bool electLane() {
  __syncwarp();
  u32 elected;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "elect.sync _|p, 0xffffffff;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}"
               : "=r"(elected)::"memory");
  return elected != 0;
}


} // namespace sluice


// ---- sluice/blocked.cuh
// Tiles of whole rows in registers: warp w of a role has rows w * rows .. of the tile, `rows` of
// them, and lane l columns 8l .. 8l + 7 of every 256. What a row adds up to is exchanged by the
// lanes of one warp, and memory is read and written in pieces of 8 columns.


// ---- sluice/copy.cuh
// Copies by the threads of a role between global and shared memory, piece by piece.


// ---- sluice/shared_tile.cuh
// Tiles in shared memory: where element (row, column) of a slot lies.


// ---- sluice/memory.cuh
// Loads and stores of one thread, and those of a warp by matrices of 8 x 8.


namespace sluice {

/// `bytes` 1, 2, 4, 8 or 16 of memory, in the low words.
struct Piece {
  u32 word[4];
};


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

/// The same where `so`, without a branch; 16 bytes, 4 or 2.
template <int bytes>
__device__ __forceinline__ void storeGlobalIf(bool so, void *to, const Piece &p) {
  if constexpr (bytes == 16)
    asm volatile("{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n"
                 "@so st.global.v4.b32 [%1], {%2, %3, %4, %5};\n}" ::"r"(int(so)),
                 "l"(to), "r"(p.word[0]), "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3])
                 : "memory");
  else if constexpr (bytes == 4)
    asm volatile(
        "{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n@so st.global.b32 [%1], %2;\n}" ::"r"(int(so)),
        "l"(to), "r"(p.word[0])
        : "memory");
  else
    asm volatile(
        "{\n.reg .pred so;\nsetp.ne.b32 so, %0, 0;\n@so st.global.b16 [%1], %2;\n}" ::"r"(int(so)),
        "l"(to), "h"(u16(p.word[0]))
        : "memory");
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


} // namespace sluice


// ---- sluice/number.cuh
// Types of elements. Arithmetic is in f32; `rounded` brings a value to the precision of a 16-bit
// type; tiles by whole rows may be of 8 bits too.


// ---- sluice/element.cuh
// Functions of single elements that CUDA C++ has no word for. What every operation of an element
// function means is written in docs/semantics.md; host mode computes the same.


namespace sluice {

// ---- Integers: two's complement, where overflow has no meaning in C++

template <class T> struct Unsigned;
template <> struct Unsigned<int> { using type = u32; };
template <> struct Unsigned<i64> { using type = u64; };
template <class T> using UnsignedOf = typename Unsigned<T>::type;

template <class T> __device__ __forceinline__ T wrapAdd(T a, T b) {
  return T(UnsignedOf<T>(a) + UnsignedOf<T>(b));
}
template <class T> __device__ __forceinline__ T wrapSub(T a, T b) {
  return T(UnsignedOf<T>(a) - UnsignedOf<T>(b));
}
template <class T> __device__ __forceinline__ T wrapMul(T a, T b) {
  return T(UnsignedOf<T>(a) * UnsignedOf<T>(b));
}
/// As a number of i8.
__device__ __forceinline__ int lowByte(int x) {
  return static_cast<signed char>(x);
}

/// Towards zero, the last bit set where that is not exact: what is rounded from it to a type of
/// fewer than 23 bits is x rounded once.
__device__ __forceinline__ float oddFloat(int x) {
  const float below = __int2float_rz(x);
  return __int_as_float(__float_as_int(below) | (static_cast<i64>(below) != x));
}

// ---- Random numbers: Philox4x32-10 (Salmon et al., SC 2011), a block for four columns

/// A column is the sum of `parts`, quarters and rest added up apart: the compiler sees that the
/// quarters of neighbours are equal where it does not see it of their sums, and computes their
/// block once.
template <class... Parts>
__device__ __forceinline__ int randomBits(i64 seed0, i64 seed1, i64 stream, i64 row,
                                          Parts... parts) {
  const u32 rest = (u32(0) + ... + (u32(parts) % 4));
  u32 c0 = ((u32(0) + ... + (u32(parts) / 4)) + rest / 4) % (1u << 30);
  u32 c1 = u32(row), c2 = u32(stream), c3 = u32(stream >> 32);
  u32 k0 = u32(seed0), k1 = u32(seed1);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const u64 even = u64(c0) * 0xD2511F53u, odd = u64(c2) * 0xCD9E8D57u;
    c0 = u32(odd >> 32) ^ c1 ^ k0, c1 = u32(odd);
    c2 = u32(even >> 32) ^ c3 ^ k1, c3 = u32(even);
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  const u32 word = rest % 4;
  return int(word == 0 ? c0 : word == 1 ? c1 : word == 2 ? c2 : c3);
}
/// The upper 24 bits as a number in [0, 1).
template <class... Parts>
__device__ __forceinline__ float randomUniform(i64 seed0, i64 seed1, i64 stream, i64 row,
                                               Parts... parts) {
  return float(u32(randomBits(seed0, seed1, stream, row, parts...)) >> 8) * 0x1p-24f;
}


__device__ __forceinline__ float infinity() {
  return __int_as_float(0x7f800000);
}

/// NaN where an operand is; -0 is below 0. PTX ISA "max", "min".
__device__ __forceinline__ float maximum(float x, float y) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}
__device__ __forceinline__ float minimum(float x, float y) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}

// ---- Approximations, where the author allows them

/// PTX ISA "tanh": relative error at most 2^-11.
__device__ __forceinline__ float tanhApprox(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Without a branch: absolute error at most 2e-7. Abramowitz and Stegun, 7.1.26; PTX ISA "rcp",
/// "ex2".
__device__ __forceinline__ float erfApprox(float x) {
  const float a = fabsf(x);
  float t, power;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(fmaf(a, 0.3275911f, 1.0f)));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(a * a * -1.44269504f));
  float y = fmaf(t, 1.061405429f, -1.453152027f);
  y = fmaf(t, y, 1.421413741f);
  y = fmaf(t, y, -0.284496736f);
  y = fmaf(t, y, 0.254829592f);
  return copysignf(fmaf(-y * t, power, 1.0f), x);
}

/// 2^x; results below 2^-126 become 0. PTX ISA "ex2": at most 2 ulp.
__device__ __forceinline__ float exp2Approx(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// e^x; results below 2^-126 become 0. Relative error at most 2^-21 (1 + |x|).
__device__ __forceinline__ float expApprox(float x) {
  return exp2Approx(x * 1.442695041f);
}
/// x / y: at most 2 ulp where |y| is at most 2^126; beyond it 0, or NaN where x is infinite. PTX
/// ISA "div.approx".
__device__ __forceinline__ float quotientApprox(float x, float y) {
  float result;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}


} // namespace sluice

namespace sluice {

struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
/// A number of f32; products ignore its low 13 bits.
struct tf32 {
  float value;
};
struct e4m3 {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};
struct s8 {
  signed char value;
};
template <class T> constexpr bool isFloat8 = isSame<T, e4m3> || isSame<T, e5m2>;

template <class T> struct Convert;


/// PTX ISA "cvt".
__device__ __forceinline__ float toFloat(float x) {
  return x;
}
__device__ __forceinline__ float toFloat(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}
__device__ __forceinline__ float toFloat(bf16 x) {
  return __uint_as_float(u32(x.bits) << 16);
}

__device__ __forceinline__ float toFloat(s8 x) {
  return float(x.value);
}

/// By way of f16, which has every number of both.
__device__ __forceinline__ float toFloat(e4m3 x) {
  u32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(u16(x.bits)));
  return toFloat(f16{u16(pair)});
}
__device__ __forceinline__ float toFloat(e5m2 x) {
  u32 pair;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"(u16(x.bits)));
  return toFloat(f16{u16(pair)});
}

template <> struct Convert<float> {
  static __device__ __forceinline__ float from(float x) { return x; }
};
template <> struct Convert<int> {
  static __device__ __forceinline__ int from(int x) { return x; }
};
template <> struct Convert<f16> {
  static __device__ __forceinline__ f16 from(float x) {
    f16 result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  }
  /// `low` in bits 0-15.
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u32 result;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
  }
};
template <> struct Convert<bf16> {
  static __device__ __forceinline__ bf16 from(float x) {
    bf16 result;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  }
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u32 result;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
  }
};

/// Beyond the largest number, that.
template <> struct Convert<e4m3> {
  static __device__ __forceinline__ e4m3 from(float x) { return {u8(pack(x, 0.0f))}; }
  /// `low` in bits 0-7.
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u16 result;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
    return result;
  }
};
template <> struct Convert<e5m2> {
  static __device__ __forceinline__ e5m2 from(float x) { return {u8(pack(x, 0.0f))}; }
  static __device__ __forceinline__ u32 pack(float low, float high) {
    u16 result;
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
    return result;
  }
};


} // namespace sluice


namespace sluice {

/// What is computed with: integers as they are, else f32.
__device__ __forceinline__ int valueOf(int x) {
  return x;
}
template <class T> __device__ __forceinline__ float valueOf(T x) {
  return toFloat(x);
}

template <class T> __device__ __forceinline__ float rounded(float x) {
  return toFloat(Convert<T>::from(x));
}

} // namespace sluice

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
    return T{decltype(T::bits)(bits)};
}


} // namespace sluice

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
#pragma unroll 4
  for (int p = thread % 32; p < (own.end - own.begin) * P::perLine; p += 32) {
    int line = own.begin + p / P::perLine, at = p % P::perLine * P::elements;
    if (!inside(firstLine + line, lineExtent))
      continue;
    Piece held =
        loadShared<bytes>(from + Tile::offsetInLine(line0 + line, (along0 + at) * int(sizeof(T))));
    storePiece<T, bytes>(w.base + (firstLine + line) * stride + firstAlong + at, held,
                         insideAlong<P::elements>(firstAlong + at, alongExtent));
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


} // namespace sluice

// ---- sluice/fragment.cuh
// Tiles that a role keeps in registers. PTX ISA "Register fragments for wgmma.mma_async": warpgroup
// w of the role has rows 64w .. 64w+63 of every block of 64 * warpgroups rows, warp v of it rows
// 16v .. 16v+15; lane l has columns 8j + 2(l%4), 8j + 2(l%4) + 1 of rows l/4 and l/4 + 8.


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


/// Value of another lane. PTX ISA "shfl.sync".
__device__ __forceinline__ float laneValue(float x, int lane) {
  return __shfl_sync(0xffffffffu, x, lane);
}


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


/// Value of the lane whose number differs in the bits of `mask`. PTX ISA "shfl.sync".
__device__ __forceinline__ float laneXor(float x, int mask) {
  return __shfl_xor_sync(0xffffffffu, x, mask);
}
__device__ __forceinline__ u32 laneXor(u32 x, int mask) {
  return __shfl_xor_sync(0xffffffffu, x, mask);
}


struct Larger {
  static constexpr bool isSum = false;
  static __device__ __forceinline__ float of(float x, float y) { return fmaxf(x, y); }
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
__device__ __forceinline__ void sumOfRows(RowVector<T, blocks> &to, const Frag &f) {
  foldRows<Sum>(to, f);
}



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

namespace sluice {

/// `rows` rows of a warp, N columns. Value i: row i / (N / 32), and there columns in ascending
/// order.
template <class T, int rows, int N> struct Blocked : Values<T, rows * N / 32> {
  static_assert(N % 256 == 0, "8 columns for each lane");
  static constexpr int columns = N;
  static constexpr int rowsOfWarp = rows;
  /// Index in a BlockedRowVector and in a BlockedColVector.
  static __device__ __forceinline__ constexpr int rowIndex(int i) { return i / (N / 32); }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i % (N / 32); }
};

/// One value per row of the warp, the same in all lanes.
template <class T, int rows> struct BlockedRowVector : Values<T, (rows + 1) / 2 * 2> {
  static constexpr int rowsOfWarp = rows;
  static __device__ __forceinline__ constexpr int rowIndex(int i) { return i; }
  static __device__ __forceinline__ constexpr int colIndex(int) { return 0; }
};

/// One value per column, the same in every warp, dealt like a row of Blocked; of fewer than 256
/// every lane has all.
template <class T, int N>
struct BlockedColVector : Values<T, (N < 256 ? (N + 1) / 2 * 2 : N / 32)> {
  static constexpr int columns = N;
  static __device__ __forceinline__ constexpr int rowIndex(int) { return 0; }
  static __device__ __forceinline__ constexpr int colIndex(int i) { return i; }
};

/// Row of the role's tile; `index` is a rowIndex, `warp` the warp of the role.
template <int rows> __device__ __forceinline__ int blockedRow(int index, int warp) {
  return warp * rows + index;
}
/// Column of the tile; `index` is a colIndex.
__device__ __forceinline__ int blockedCol(int index) {
  return index / 8 * 256 + laneOfWarp() * 8 + index % 8;
}

/// Folds of a row that a thread goes through side by side, of so many rows: one addition waits for
/// the one before.
template <int rows> constexpr int foldsOfRow = rows < 4 ? 4 / rows : 1;

/// Folds the rows of a tile: first the columns of the thread, then those of the warp.
template <class Fold, class T, class S, int rows, int N>
__device__ __forceinline__ void foldRows(BlockedRowVector<T, rows> &to,
                                         const Blocked<S, rows, N> &f) {
  constexpr int folds = foldsOfRow<rows>;
  float part[rows * folds], folded[(rows + 1) / 2 * 2] = {};
#pragma unroll
  for (int i = 0; i < rows * folds; ++i)
    part[i] = Fold::isSum ? 0.0f : -__int_as_float(0x7f800000);
#pragma unroll
  for (int i = 0; i < rows * N / 32; ++i) {
    float &own = part[f.rowIndex(i) * folds + i % folds];
    own = Fold::of(own, f.get(i));
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    folded[r] = part[r * folds];
#pragma unroll
    for (int i = 1; i < folds; ++i)
      folded[r] = Fold::of(folded[r], part[r * folds + i]);
  }
#pragma unroll
  for (int mask = 1; mask < 32; mask *= 2)
#pragma unroll
    for (int r = 0; r < rows; ++r)
      folded[r] = Fold::of(folded[r], laneXor(folded[r], mask));
#pragma unroll
  for (int r = 0; r < rows; r += 2)
    to.put(r, folded[r], folded[r + 1]);
}
template <class T, class S, int rows, int N>
__device__ __forceinline__ void maxOfRows(BlockedRowVector<T, rows> &to,
                                          const Blocked<S, rows, N> &f) {
  foldRows<Larger>(to, f);
}
template <class T, class S, int rows, int N>
__device__ __forceinline__ void sumOfRows(BlockedRowVector<T, rows> &to,
                                          const Blocked<S, rows, N> &f) {
  foldRows<Sum>(to, f);
}


/// Eight neighbours of a row in memory.
template <class T> struct Eight {
  static constexpr int size = int(sizeof(T)), words = 2 * size;
  u32 word[words];

  /// `bytes` of them from byte `at` on.
  template <int bytes> __device__ __forceinline__ void take(int at, const Piece &p) {
    if constexpr (bytes >= 4) {
#pragma unroll
      for (int w = 0; w < bytes / 4; ++w)
        word[at / 4 + w] = p.word[w];
    } else {
      word[at / 4] = (at % 4 ? word[at / 4] : 0) | p.word[0] << (at % 4 * 8);
    }
  }
  template <int bytes> __device__ __forceinline__ Piece piece(int at) const {
    Piece p{};
    if constexpr (bytes >= 4) {
#pragma unroll
      for (int w = 0; w < bytes / 4; ++w)
        p.word[w] = word[at / 4 + w];
    } else {
      p.word[0] = word[at / 4] >> (at % 4 * 8);
    }
    return p;
  }
  __device__ __forceinline__ u32 bits(int e) const {
    return word[e * size / 4] >> (e * size % 4 * 8);
  }
};

/// Values first .. first + 7 of a tile, converted; bits as they are where the types agree.
template <class T, class S, int count>
__device__ __forceinline__ void setEight(Values<S, count> &f, int first, const Eight<T> &x) {
  if constexpr (isSame<T, S> && sizeof(T) == 2) {
#pragma unroll
    for (int w = 0; w < 4; ++w)
      f.v[first / 2 + w] = x.word[w];
  } else if constexpr (isSame<T, S> && sizeof(T) == 1) {
#pragma unroll
    for (int h = 0; h < 4; ++h)
      f.v[first / 2 + h] = u16(x.bits(2 * h));
  } else {
#pragma unroll
    for (int e = 0; e < 8; e += 2)
      f.put(first + e, valueOf(elementOf<T>(x.bits(e))), valueOf(elementOf<T>(x.bits(e + 1))));
  }
}
template <class T, class S, int count>
__device__ __forceinline__ Eight<T> eightOf(const Values<S, count> &f, int first) {
  Eight<T> x;
#pragma unroll
  for (int e = 0; e < 8; e += 2)
    if constexpr (isSame<T, S> && sizeof(T) == 2)
      x.word[e / 2] = f.v[(first + e) / 2];
    else if constexpr (isSame<T, S> && sizeof(T) == 1)
      x.word[e / 4] = (e % 4 ? x.word[e / 4] : 0) | u32(f.v[(first + e) / 2]) << (e % 4 * 8);
    else if constexpr (isFloat8<T>)
      x.word[e / 4] = (e % 4 ? x.word[e / 4] : 0) |
                      Convert<T>::pack(f.get(first + e), f.get(first + e + 1)) << (e % 4 * 8);
    else if constexpr (sizeof(T) == 2)
      x.word[e / 2] = Convert<T>::pack(f.get(first + e), f.get(first + e + 1));
    else {
      x.word[e] = elementBits(T(f.get(first + e)));
      x.word[e + 1] = elementBits(T(f.get(first + e + 1)));
    }
  return x;
}

/// How a tile reaches over the edges of a tensor: not at all, by whole accesses, by elements.
enum class Edge { none, accesses, elements };

/// Eight columns from `col` on of a row, in accesses of `bytes`; those of one element may lie
/// apart. The row has `last` columns.
template <int bytes, Edge edge, class T>
__device__ __forceinline__ Eight<T> loadEight(const T *row, i64 stride, int col, int last) {
  constexpr int size = int(sizeof(T)), elements = bytes / size;
  Eight<T> x;
#pragma unroll
  for (int e = 0; e < 8; e += elements) {
    const T *from = row + (col + e) * (elements > 1 ? 1 : stride);
    Piece p{};
    if constexpr (edge == Edge::elements)
      p = loadPiece<T, bytes>(from, insideAlong<elements>(col + e, last));
    else if (edge == Edge::none || inside(col + e, last))
      p = loadGlobal<bytes>(from);
    x.template take<bytes>(e * size, p);
  }
  return x;
}
template <int bytes, Edge edge, class T>
__device__ __forceinline__ void storeEight(T *row, i64 stride, int col, int last,
                                           const Eight<T> &x) {
  constexpr int size = int(sizeof(T)), elements = bytes / size;
#pragma unroll
  for (int e = 0; e < 8; e += elements) {
    T *to = row + (col + e) * (elements > 1 ? 1 : stride);
    const Piece p = x.template piece<bytes>(e * size);
    if constexpr (edge == Edge::elements)
      storePiece<T, bytes>(to, p, insideAlong<elements>(col + e, last));
    else if (edge == Edge::none || inside(col + e, last))
      storeGlobal<bytes>(to, p);
  }
}

/// The edge of a tile of rows x cols, the same for all lanes.
template <int elements, class T>
__device__ __forceinline__ Edge edgeOf(const Window<T> &w, int rows, int cols) {
  if (w.row >= 0 && w.col >= 0 && w.row + rows <= w.rows && w.col + cols <= w.cols)
    return Edge::none;
  return w.cols % elements == 0 && w.col % elements == 0 ? Edge::accesses : Edge::elements;
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedBy(Blocked<S, rows, N> &f, const Window<T> &w,
                                              int warp) {
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = w.row + blockedRow<rows>(f.rowIndex(i), warp);
    const int last = inside(row, w.rows) ? w.cols : 0;
    setEight(f, i,
             loadEight<bytes, edge>(w.base + row * w.rowStride, w.colStride,
                                    w.col + blockedCol(f.colIndex(i)), last));
  }
}
/// Global -> registers, `bytes` at a time; zero where the tensor has no element.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void loadBlocked(Blocked<S, rows, N> &f, const Window<T> &w, int warp) {
  const Edge edge = edgeOf<bytes / int(sizeof(T))>(w, rows * warps, N);
  if (edge == Edge::none)
    loadBlockedBy<bytes, Edge::none>(f, w, warp);
  else if (edge == Edge::accesses)
    loadBlockedBy<bytes, Edge::accesses>(f, w, warp);
  else
    loadBlockedBy<bytes, Edge::elements>(f, w, warp);
}

template <int bytes, Edge edge, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedBy(const Window<T> &w, const Blocked<S, rows, N> &f,
                                               int warp) {
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = w.row + blockedRow<rows>(f.rowIndex(i), warp);
    const int last = inside(row, w.rows) ? w.cols : 0;
    storeEight<bytes, edge>(w.base + row * w.rowStride, w.colStride,
                            w.col + blockedCol(f.colIndex(i)), last, eightOf<T>(f, i));
  }
}
/// Registers -> global, converted to T; elements outside the tensor are skipped.
template <int warps, int bytes, class T, class S, int rows, int N>
__device__ __forceinline__ void storeBlocked(const Window<T> &w, const Blocked<S, rows, N> &f,
                                             int warp) {
  const Edge edge = edgeOf<bytes / int(sizeof(T))>(w, rows * warps, N);
  if (edge == Edge::none)
    storeBlockedBy<bytes, Edge::none>(w, f, warp);
  else if (edge == Edge::accesses)
    storeBlockedBy<bytes, Edge::accesses>(w, f, warp);
  else
    storeBlockedBy<bytes, Edge::elements>(w, f, warp);
}

/// A row vector stands for a column of the tensor, a column vector for a row.
template <int warps, class T, class S, int rows>
__device__ __forceinline__ void
storeBlockedRowVector(const Window<T> &w, const BlockedRowVector<S, rows> &f, int warp) {
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    if (laneOfWarp() == 0 && inside(row, w.rows) && inside(w.col, w.cols))
      w.base[row * w.rowStride + w.col * w.colStride] = Convert<T>::from(f.get(r));
  }
}
template <int warps, class T, class S, int rows>
__device__ __forceinline__ void loadBlockedRowVector(BlockedRowVector<S, rows> &f,
                                                     const Window<T> &w, int warp) {
  decltype(f.get(0)) x[(rows + 1) / 2 * 2] = {};
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = w.row + blockedRow<rows>(r, warp);
    const bool in = inside(row, w.rows) && inside(w.col, w.cols);
    if (in)
      x[r] = valueOf(w.base[row * w.rowStride + w.col * w.colStride]);
  }
#pragma unroll
  for (int r = 0; r < rows; r += 2)
    f.put(r, x[r], x[r + 1]);
}
template <int bytes, class T, class S, int N>
__device__ __forceinline__ void loadBlockedColVector(BlockedColVector<S, N> &f,
                                                     const Window<T> &w) {
  const int last = inside(w.row, w.rows) ? w.cols : 0;
  T *const line = w.base + w.row * w.rowStride;
  if constexpr (N < 256) { // each lane all of them
    decltype(f.get(0)) x[(N + 1) / 2 * 2] = {};
#pragma unroll
    for (int c = 0; c < N; ++c)
      if (inside(w.col + c, last))
        x[c] = valueOf(line[(w.col + c) * w.colStride]);
#pragma unroll
    for (int c = 0; c < N; c += 2)
      f.put(c, x[c], x[c + 1]);
  } else {
#pragma unroll
    for (int i = 0; i < N / 32; i += 8) {
      const int col = w.col + blockedCol(i);
      if (w.col >= 0 && w.col + (i + 8) * 32 <= last) // the same for all lanes
        setEight(f, i, loadEight<bytes, Edge::none>(line, w.colStride, col, last));
      else
        setEight(f, i, loadEight<bytes, Edge::elements>(line, w.colStride, col, last));
    }
  }
}

/// Shared -> registers, from (row0, col0) of the slot on; col0 is a multiple of 8.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void loadBlockedShared(Blocked<S, rows, N> &f, u32 from, int row0,
                                                  int col0, int warp) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = size < 2 ? 8 : 16;
  constexpr int bytes = Tile::minorDimension == 1 ? together : size, elements = bytes / size;
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = row0 + blockedRow<rows>(f.rowIndex(i), warp);
    const int col = col0 + blockedCol(f.colIndex(i));
    Eight<T> x;
#pragma unroll
    for (int e = 0; e < 8; e += elements)
      x.template take<bytes>(e * size, loadShared<bytes>(from + Tile::offset(row, col + e)));
    setEight(f, i, x);
  }
}
/// The same the other way, converted to the tile's type.
template <class Tile, int warps, class S, int rows, int N>
__device__ __forceinline__ void storeBlockedShared(u32 to, int row0, int col0,
                                                   const Blocked<S, rows, N> &f, int warp) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = size < 2 ? 8 : 16;
  constexpr int bytes = Tile::minorDimension == 1 ? together : size, elements = bytes / size;
#pragma unroll
  for (int i = 0; i < rows * N / 32; i += 8) {
    const int row = row0 + blockedRow<rows>(f.rowIndex(i), warp);
    const int col = col0 + blockedCol(f.colIndex(i));
    const Eight<T> x = eightOf<T>(f, i);
#pragma unroll
    for (int e = 0; e < 8; e += elements)
      storeShared<bytes>(to + Tile::offset(row, col + e), x.template piece<bytes>(e * size));
  }
}

/// Registers -> shared: the number of a row in column col0 of the slot.
template <class Tile, int warps, class S, int rows>
__device__ __forceinline__ void storeBlockedRowVectorShared(u32 to, int row0, int col0,
                                                            const BlockedRowVector<S, rows> &f,
                                                            int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (laneOfWarp() == 0)
      storeShared<sizeof(T)>(to + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
                             Piece{{elementBits(Convert<T>::from(f.get(r)))}});
}
/// The same into the slot of a peer; both addresses are of the cluster.
template <class Tile, int warps, class S, int rows>
__device__ __forceinline__ void storeBlockedRowVectorToPeer(u32 to, int row0, int col0,
                                                            const BlockedRowVector<S, rows> &f,
                                                            u32 barrier, int warp) {
  static_assert(sizeof(typename Tile::Element) == 4, "a word for each row");
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (laneOfWarp() == 0)
      storeToPeer<4>(to + Tile::offset(row0 + blockedRow<rows>(r, warp), col0),
                     Piece{{elementBits(f.get(r))}}, barrier);
}
/// Shared -> registers: column col0 of the slot, all of it for every lane. Numbers that lie side by
/// side come `bytes` at a time.
template <class Tile, int bytes, class S, int N>
__device__ __forceinline__ void loadBlockedColVectorShared(BlockedColVector<S, N> &f, u32 from,
                                                           int row0, int col0) {
  using T = typename Tile::Element;
  constexpr int size = int(sizeof(T)), together = bytes / size;
  static_assert(N < 256 && N % 2 == 0 && N % together == 0, "few columns");
  static_assert(together == 1 || size == 4, "words");
  decltype(f.get(0)) x[N];
#pragma unroll
  for (int c = 0; c < N; c += together) {
    const Piece piece = loadShared<bytes>(from + Tile::offset(row0 + c, col0));
#pragma unroll
    for (int e = 0; e < together; ++e)
      x[c + e] = valueOf(elementOf<T>(piece.word[e]));
  }
#pragma unroll
  for (int c = 0; c < N; c += 2)
    f.put(c, x[c], x[c + 1]);
}


} // namespace sluice

// ---- sluice/counter.cuh
// Counters in global memory: one i32 that some CTAs add to and others wait for.


// ---- sluice/scope.cuh
// Who sees the memory that an operation releases or acquires. PTX ISA "Scope".

namespace sluice {

enum class Scope { cta, cluster, gpu };

} // namespace sluice

// ---- sluice/watchdog.cuh
// Bounds waits where SLUICE_WATCHDOG, a number of nanoseconds, is defined; else nothing here makes
// an instruction. A wait that takes longer is written to memory that the host sees, then the kernel
// traps. Barriers of the hardware cannot be given up: who is inside one is noted instead.


namespace sluice {

/// What one warp waits on, in SLUICE_WATCHDOG_RECORDS records, CTA after CTA. The host reads them
/// after a trap.
struct WatchdogRecord {
  enum State : u32 { none, inside, expired };
  u32 sync, state;    // number of the synchronisation
  u32 cta[3], warp;   // of the CTA
  u32 offset, parity; // mbarriers: bytes in dynamic shared memory; the parity waited for
  u64 seen;           // mbarriers: the word; counters: the value
  u32 phase, awaited; // mbarriers: parity of the phase that runs; counters: the value waited for
};

#if defined(SLUICE_WATCHDOG) && !defined(SLUICE_HOST)

#ifndef SLUICE_WATCHDOG_RECORDS
#define SLUICE_WATCHDOG_RECORDS 65536
#endif
#ifndef SLUICE_WATCHDOG_REPORT
__device__ WatchdogRecord *watchdogReport; // the host sets it before the launch
#define SLUICE_WATCHDOG_REPORT watchdogReport
#endif

/// PTX ISA "%globaltimer": nanoseconds.
__device__ __forceinline__ u64 globalTime() {
  u64 time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

/// All lanes that wait write the same.
[[maybe_unused]] static __device__ __noinline__ void watchdogNote(const WatchdogRecord &note) {
  const u64 cta = blockIdx.x + u64(gridDim.x) * (blockIdx.y + u64(gridDim.y) * blockIdx.z);
  const u64 index = cta * (blockDim.x / 32) + threadIdx.x / 32;
  WatchdogRecord *report = (WatchdogRecord *)(SLUICE_WATCHDOG_REPORT);
  if (!report || index >= SLUICE_WATCHDOG_RECORDS)
    return;
  volatile WatchdogRecord *to = report + index;
  to->sync = note.sync;
  to->cta[0] = blockIdx.x;
  to->cta[1] = blockIdx.y;
  to->cta[2] = blockIdx.z;
  to->warp = threadIdx.x / 32;
  to->offset = note.offset;
  to->parity = note.parity;
  to->seen = note.seen;
  to->phase = note.phase;
  to->awaited = note.awaited;
  __threadfence_system();
  to->state = note.state;
  __threadfence_system();
}

/// Leaves the other warps half as much time again to tell what they wait on.
[[maybe_unused]] static __device__ __noinline__ void watchdogExpired(const WatchdogRecord &note) {
  watchdogNote(note);
  for (const u64 begin = globalTime(); globalTime() - begin < SLUICE_WATCHDOG / 2;)
    ;
  __trap();
}

/// Runs along with a wait that polls.
struct Deadline {
  u64 begin = globalTime();
  __device__ __forceinline__ bool passed() const { return globalTime() - begin > SLUICE_WATCHDOG; }
};

/// PTX ISA "mbarrier.test_wait": the phase of parity 0 has completed, so that of parity 1 runs.
[[maybe_unused]] static __device__ __noinline__ void mbarrierExpired(u32 sync, u32 barrier,
                                                                     u32 parity) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  u64 word;
  u32 phase;
  asm volatile("ld.shared.b64 %0, [%1];" : "=l"(word) : "r"(barrier) : "memory");
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}"
               : "=r"(phase)
               : "r"(barrier)
               : "memory");
  const u32 start = u32(__cvta_generic_to_shared(sharedBytes)); // a lane may be here alone
  WatchdogRecord note{sync, WatchdogRecord::expired, {}, 0, barrier - start, parity, word, phase,
                      0};
  watchdogExpired(note);
}

[[maybe_unused]] static __device__ __noinline__ void counterExpired(u32 sync, int seen, int value) {
  watchdogExpired({sync, WatchdogRecord::expired, {}, 0, 0, 0, u64(i64(seen)), 0, u32(value)});
}

/// Notes that the warp is inside a barrier of the hardware while it lives.
struct Watched {
  __device__ __forceinline__ explicit Watched(u32 sync) {
    watchdogNote({sync, WatchdogRecord::inside, {}, 0, 0, 0, 0, 0, 0});
  }
  __device__ __forceinline__ ~Watched() {
    watchdogNote({0, WatchdogRecord::none, {}, 0, 0, 0, 0, 0, 0});
  }
};

#else

struct Deadline {
  __device__ __forceinline__ bool passed() const { return false; }
};
struct Watched {
  __device__ __forceinline__ explicit Watched(u32) {}
};
__device__ __forceinline__ void mbarrierExpired(u32, u32, u32) {}
__device__ __forceinline__ void counterExpired(u32, int, int) {}

#endif

} // namespace sluice

namespace sluice {


/// PTX ISA "red": adds, and what this thread sees is seen by those who acquire the sum
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterAdd(int *counter, int value) {
  if constexpr (scope == Scope::cta)
    asm volatile("red.release.cta.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
  else if constexpr (scope == Scope::cluster)
    asm volatile("red.release.cluster.global.add.s32 [%0], %1; // sync %2" ::"l"(counter),
                 "r"(value), "n"(sync)
                 : "memory");
  else
    asm volatile("red.release.gpu.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
}
/// ... without release
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterAddRelaxed(int *counter, int value) {
  if constexpr (scope == Scope::cta)
    asm volatile("red.relaxed.cta.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
  else if constexpr (scope == Scope::cluster)
    asm volatile("red.relaxed.cluster.global.add.s32 [%0], %1; // sync %2" ::"l"(counter),
                 "r"(value), "n"(sync)
                 : "memory");
  else
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1; // sync %2" ::"l"(counter), "r"(value),
                 "n"(sync)
                 : "memory");
}

/// PTX ISA "atom": one lane adds, and all of its warp know what the counter held before. All lanes
/// call it.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ int counterDraw(int *counter, int value) {
  int old = 0;
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    if constexpr (scope == Scope::cta)
      asm volatile("atom.release.cta.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("atom.release.cluster.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else
      asm volatile("atom.release.gpu.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
  }
  return __shfl_sync(0xffffffff, old, 0);
}
/// ... without release
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ int counterDrawRelaxed(int *counter, int value) {
  int old = 0;
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    if constexpr (scope == Scope::cta)
      asm volatile("atom.relaxed.cta.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("atom.relaxed.cluster.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
    else
      asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], %2; // sync %3"
                   : "=r"(old)
                   : "l"(counter), "r"(value), "n"(sync)
                   : "memory");
  }
  return __shfl_sync(0xffffffff, old, 0);
}

/// PTX ISA "ld": until the counter is at least `value`, with acquire
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void counterWait(const int *counter, int value) {
  int seen;
  [[maybe_unused]] const Deadline deadline;
  do {
    if constexpr (scope == Scope::cta)
      asm volatile("ld.acquire.cta.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    else if constexpr (scope == Scope::cluster)
      asm volatile("ld.acquire.cluster.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    else
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1]; // sync %2"
                   : "=r"(seen)
                   : "l"(counter), "n"(sync)
                   : "memory");
    if (seen < value && deadline.passed())
      counterExpired(sync, seen, value);
  } while (seen < value);
}


} // namespace sluice


// ---- sluice/cursor.cuh
// Position in a ring of `slots` slots: the only place where slot and phase are computed.


namespace sluice {

/// `phase` is the parity that a consumer waits for; it flips with every wrap. A producer waits for
/// phase ^ 1, which a fresh mbarrier lets pass.
template <int slots> struct Cursor {
  int slot = 0;
  int phase = 0;

  __device__ __forceinline__ Cursor advance() const {
    return slot + 1 == slots ? Cursor{0, phase ^ 1} : Cursor{slot + 1, phase};
  }
  /// n >= 0.
  __device__ __forceinline__ Cursor advance(int n) const {
    const u32 to = u32(slot) + u32(n);
    return Cursor{int(to % slots), phase ^ int(to / slots & 1)};
  }
  /// By any number.
  __device__ __forceinline__ Cursor advance(i64 n) const {
    const i64 rest = (n % slots + slots) % slots, rounds = (n - rest) / slots;
    const Cursor behind = advance(int(rest));
    return Cursor{behind.slot, behind.phase ^ int(rounds & 1)};
  }
};

} // namespace sluice

// ---- sluice/fragment_copy.cuh
// Copies between the registers of a role and global or shared memory.


namespace sluice {

/// Values i (even) and i + 1 as a piece of type T; bits as they are where the types agree.
template <class T, class S, int size>
__device__ __forceinline__ Piece pairOf(const Values<S, size> &f, int i) {
  if constexpr (sizeof(T) == 4)
    return Piece{{elementBits(T(f.get(i))), elementBits(T(f.get(i + 1)))}};
  else if constexpr (isSame<T, S>)
    return Piece{{f.v[i / 2]}};
  else
    return Piece{{Convert<T>::pack(f.get(i), f.get(i + 1))}};
}

/// Values i (even) and i + 1 from a piece of their own type.
template <int size>
__device__ __forceinline__ void setPair(Values<float, size> &f, int i, const Piece &p) {
  f.put(i, __uint_as_float(p.word[0]), __uint_as_float(p.word[1]));
}
template <int size>
__device__ __forceinline__ void setPair(Values<int, size> &f, int i, const Piece &p) {
  f.put(i, int(p.word[0]), int(p.word[1]));
}
template <class T, int size>
__device__ __forceinline__ void setPair(Values<T, size> &f, int i, const Piece &p) {
  f.v[i / 2] = p.word[0];
}

/// Registers -> global, converted to T; elements outside the tensor are skipped. `paired`: columns
/// are contiguous and the first of every pair lies at a multiple of two elements. `checked`: the
/// tile may reach over the edge. From column `first` on.
template <int warps, bool paired, bool checked, int first = 0, class T, class Frag>
__device__ __forceinline__ void storeFragmentRows(const Window<T> &w, const Frag &f, int warp) {
  const i64 stride = paired ? 1 : w.colStride;
  const int firstCol = w.col + fragmentCol(0);
#pragma unroll
  for (int r = 0; r < 2 * Frag::rowBlocks; ++r) {
    int row = w.row + fragmentRow<warps>(r, warp);
    if (checked && !inside(row, w.rows))
      continue;
    T *line = w.base + row * w.rowStride + firstCol * stride;
#pragma unroll
    for (int j = first / 8; j < Frag::columns / 8; ++j) {
      int i = r / 2 * (Frag::columns / 2) + 4 * j + r % 2 * 2;
      T *to = line + 8 * j * stride;
      bool one = !checked || inside(firstCol + 8 * j, w.cols);
      bool other = !checked || inside(firstCol + 8 * j + 1, w.cols);
      if (paired && one && other) {
        storeGlobal<2 * sizeof(T)>(to, pairOf<T>(f, i));
        continue;
      }
      if (one)
        *to = Convert<T>::from(f.get(i));
      if (other)
        to[stride] = Convert<T>::from(f.get(i + 1));
    }
  }
}

/// Lane l of four has word i of its piece from word l of lane i's: a 4 x 4 matrix is transposed.
__device__ __forceinline__ void exchangeInQuad(Piece &p) {
#pragma unroll
  for (int mask = 1; mask <= 2; mask *= 2) {
    const bool upper = laneOfWarp() & mask;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i & mask)
        continue;
      const u32 got = laneXor(upper ? p.word[i] : p.word[i + mask], mask);
      p.word[i] = upper ? got : p.word[i];
      p.word[i + mask] = upper ? p.word[i + mask] : got;
    }
  }
}

/// The same for 16-bit types whose rows are whole pieces of 16 bytes: four lanes together have 64
/// bytes of a row of 32 columns. Columns beyond a multiple of 32 go by pairs.
template <int warps, bool checked, class T, class Frag>
__device__ __forceinline__ void storeFragmentLines(const Window<T> &w, const Frag &f, int warp) {
  static_assert(sizeof(T) == 2, "8 elements are 16 bytes");
  constexpr int together = 32, whole = Frag::columns / together * together;
  const int firstCol = w.col + laneOfWarp() % 4 * 8;
#pragma unroll
  for (int r = 0; r < 2 * Frag::rowBlocks; ++r) {
    const int row = w.row + fragmentRow<warps>(r, warp);
    T *line = w.base + row * w.rowStride + firstCol;
#pragma unroll
    for (int col = 0; col < whole; col += together) {
      Piece p;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        p.word[j] = pairOf<T>(f, r / 2 * (Frag::columns / 2) + col / 2 + 4 * j + r % 2 * 2).word[0];
      exchangeInQuad(p);
      if (!checked)
        storeGlobal<16>(line + col, p);
      else if (inside(row, w.rows))
        storePiece<T, 16>(line + col, p, insideAlong<8>(firstCol + col, w.cols));
    }
  }
  if constexpr (whole < Frag::columns)
    storeFragmentRows<warps, true, checked, whole>(w, f, warp);
}

/// `bytes` that may be stored at once: those of an element, of two in a row, or 16.
template <int warps, int bytes, bool checked, class T, class Frag>
__device__ __forceinline__ void storeFragmentBy(const Window<T> &w, const Frag &f, int warp) {
  if constexpr (bytes == 16)
    storeFragmentLines<warps, checked>(w, f, warp);
  else
    storeFragmentRows<warps, bytes != sizeof(T), checked>(w, f, warp);
}
template <int warps, int bytes, class T, class Frag>
__device__ __forceinline__ void storeFragment(const Window<T> &w, const Frag &f, int warp) {
  constexpr int rows = 16 * warps * Frag::rowBlocks;
  if (bytes != sizeof(T) && w.row >= 0 && w.col >= 0 && w.row + rows <= w.rows &&
      w.col + Frag::columns <= w.cols)
    storeFragmentBy<warps, bytes, false>(w, f, warp);
  else
    storeFragmentBy<warps, bytes, true>(w, f, warp);
}

/// Global -> registers; zero where the tensor has no element.
template <int warps, class T, class Frag>
__device__ __forceinline__ void loadFragment(Frag &f, const Window<T> &w, int warp) {
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = w.row + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = w.col + fragmentCol(Frag::colIndex(i));
    const T *from = w.base + row * w.rowStride + col * w.colStride;
    bool in = inside(row, w.rows);
    const auto x0 = valueOf(in && inside(col, w.cols) ? *from : T{});
    const auto x1 = valueOf(in && inside(col + 1, w.cols) ? from[w.colStride] : T{});
    f.put(i, x0, x1);
  }
}

/// A row vector stands for a column of the tensor, a column vector for a row.
template <int warps, class T, class S, int blocks>
__device__ __forceinline__ void storeRowVector(const Window<T> &w, const RowVector<S, blocks> &f,
                                               int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i) {
    int row = w.row + fragmentRow<warps>(i, warp);
    if (laneOfWarp() % 4 == 0 && inside(row, w.rows) && inside(w.col, w.cols))
      w.base[row * w.rowStride + w.col * w.colStride] = Convert<T>::from(f.get(i));
  }
}
template <int warps, class T, class S, int blocks>
__device__ __forceinline__ void loadRowVector(RowVector<S, blocks> &f, const Window<T> &w,
                                              int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; i += 2) {
    float x[2];
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      int row = w.row + fragmentRow<warps>(i + e, warp);
      bool in = inside(row, w.rows) && inside(w.col, w.cols);
      x[e] = in ? toFloat(w.base[row * w.rowStride + w.col * w.colStride]) : 0.0f;
    }
    f.put(i, x[0], x[1]);
  }
}
template <class T, class S, int N>
__device__ __forceinline__ void loadColVector(ColVector<S, N> &f, const Window<T> &w) {
  typename ColVector<S, N>::Held &held = f;
  const T *row = w.base + w.row * w.rowStride;
  const int last = inside(w.row, w.rows) ? min(w.cols, w.col + N) : 0;
#pragma unroll
  for (int first = 0; first < N; first += 64) {
    const int col = w.col + first + 2 * laneOfWarp();
    const T *from = row + col * w.colStride;
    held.put(first / 32, inside(col, last) ? toFloat(*from) : 0.0f,
             inside(col + 1, last) ? toFloat(from[w.colStride]) : 0.0f);
  }
}

/// Registers -> shared, converted to the tile's type, at (row0, col0) of the slot.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentShared(u32 to, int row0, int col0, const Frag &f,
                                                    int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1) {
      storeShared<2 * sizeof(T)>(to + Tile::offset(row, col), pairOf<T>(f, i));
    } else {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        storeShared<sizeof(T)>(to + Tile::offset(row, col + e),
                               Piece{{elementBits(Convert<T>::from(f.get(i + e)))}});
    }
  }
}

/// The same for tiles of 16-bit elements with contiguous columns, by matrices of 8 x 8: a lane
/// gives the address of one row of 16 bytes. col0 is a multiple of 8. PTX ISA "stmatrix".
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentMatrices(u32 to, int row0, int col0, const Frag &f,
                                                      int warp) {
  using T = typename Tile::Element;
  static_assert(sizeof(T) == 2 && Tile::minorDimension == 1 && Frag::columns % 16 == 0 &&
                    (Tile::swizzle || Tile::lineBytes % 16 == 0),
                "rows of 8 elements are whole and aligned");
  int lane = laneOfWarp();
#pragma unroll
  for (int i = 0; i < Frag::count; i += 8) {
    int block = i / (Frag::columns / 2), col = i % (Frag::columns / 2) / 4 * 8;
    int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane % 16;
    storeMatrices(to + Tile::offset(row0 + row, col0 + col + lane / 16 * 8),
                  pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0], pairOf<T>(f, i + 4).word[0],
                  pairOf<T>(f, i + 6).word[0]);
  }
}

/// Matrices of 8 x 8 of a fragment in a tile with contiguous rows: a lane gives the address of 8
/// rows of one column. Those of value i go together with those of the 8 columns to the right, if
/// there are any.
template <class Tile, int warps, class Frag> struct TransposedMatrices {
  static_assert(sizeof(typename Tile::Element) == 2 && Tile::minorDimension == 0 && Tile::swizzle,
                "columns of 8 elements are whole and aligned");
  static constexpr int half = Frag::columns / 2; // values of a block of 64 rows

  static __device__ __forceinline__ constexpr int column(int i) { return i % half / 4 * 8; }
  static __device__ __forceinline__ constexpr bool isFirst(int i) { return column(i) % 16 == 0; }
  static __device__ __forceinline__ constexpr bool isPair(int i) {
    return isFirst(i) && column(i) + 8 < Frag::columns;
  }
  static __device__ __forceinline__ u32 address(u32 slot, int row0, int col0, int i, int warp) {
    const int lane = laneOfWarp();
    const int row = (i / half * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane / 8 % 2 * 8;
    return slot +
           Tile::offset(row0 + row, col0 + column(i) + isPair(i) * (lane / 16 * 8) + lane % 8);
  }
};

/// The same for tiles with contiguous rows. row0 is a multiple of 8. PTX ISA "stmatrix", .trans.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentTransposed(u32 to, int row0, int col0, const Frag &f,
                                                        int warp) {
  using T = typename Tile::Element;
  using Matrices = TransposedMatrices<Tile, warps, Frag>;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 4) {
    if (!Matrices::isFirst(i))
      continue; // stored with its left neighbour
    const u32 at = Matrices::address(to, row0, col0, i, warp);
    if (Matrices::isPair(i))
      storeTransposed(at, pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0],
                      pairOf<T>(f, i + 4).word[0], pairOf<T>(f, i + 6).word[0]);
    else
      storeTransposed(at, pairOf<T>(f, i).word[0], pairOf<T>(f, i + 2).word[0]);
  }
}

/// Registers -> shared memory of a peer, at (row0, col0) of the slot; the tile has the fragment's
/// type. Columns go in pairs where they are contiguous.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void storeFragmentToPeer(u32 to, int row0, int col0, const Frag &f,
                                                    u32 barrier, int warp) {
  using T = typename Tile::Element;
  static_assert(isSame<T, typename Frag::Element> && (Tile::minorDimension == 1 || sizeof(T) == 4),
                "words of the tile's own type");
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1) {
      storeToPeer<2 * sizeof(T)>(to + Tile::offset(row, col), pairOf<T>(f, i), barrier);
    } else {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        storeToPeer<4>(to + Tile::offset(row, col + e), Piece{{elementBits(f.get(i + e))}},
                       barrier);
    }
  }
}
/// A row vector stands for a column of the tile; one lane of the four that hold a row stores it.
template <class Tile, int warps, int blocks>
__device__ __forceinline__ void storeRowVectorToPeer(u32 to, int row0, int col0,
                                                     const RowVector<float, blocks> &f, u32 barrier,
                                                     int warp) {
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i)
    if (laneOfWarp() % 4 == 0)
      storeToPeer<4>(to + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0),
                     Piece{{elementBits(f.get(i))}}, barrier);
}

/// Registers -> shared: a row vector stands for column col0 of the slot; one lane of the four that
/// hold a row stores it, converted to the tile's type.
template <class Tile, int warps, class S, int blocks>
__device__ __forceinline__ void storeRowVectorShared(u32 to, int row0, int col0,
                                                     const RowVector<S, blocks> &f, int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < 2 * blocks; ++i)
    if (laneOfWarp() % 4 == 0)
      storeShared<sizeof(T)>(to + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0),
                             Piece{{elementBits(Convert<T>::from(f.get(i)))}});
}
/// The same the other way, for every lane.
template <class Tile, int warps, class S, int blocks>
__device__ __forceinline__ void loadRowVectorShared(RowVector<S, blocks> &f, u32 from, int row0,
                                                    int col0, int warp) {
  using T = typename Tile::Element;
  const auto value = [&](int i) {
    const u32 at = from + Tile::offset(row0 + fragmentRow<warps>(i, warp), col0);
    return valueOf(elementOf<T>(loadShared<sizeof(T)>(at).word[0]));
  };
#pragma unroll
  for (int i = 0; i < 2 * blocks; i += 2)
    f.put(i, value(i), value(i + 1));
}

/// Shared -> registers. Neighbours in a line come at once where the types agree.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentShared(Frag &f, u32 from, int row0, int col0,
                                                   int warp) {
  using T = typename Tile::Element;
#pragma unroll
  for (int i = 0; i < Frag::count; i += 2) {
    int row = row0 + fragmentRow<warps>(Frag::rowIndex(i), warp);
    int col = col0 + fragmentCol(Frag::colIndex(i));
    if constexpr (Tile::minorDimension == 1 && isSame<T, typename Frag::Element>) {
      setPair(f, i, loadShared<2 * sizeof(T)>(from + Tile::offset(row, col)));
    } else if constexpr (Tile::minorDimension == 1 && isSame<T, s8>) {
      const u32 pair = loadShared<2>(from + Tile::offset(row, col)).word[0];
      f.put(i, toFloat(elementOf<s8>(pair)), toFloat(elementOf<s8>(pair >> 8)));
    } else {
      decltype(valueOf(T{})) x[2];
#pragma unroll
      for (int e = 0; e < 2; ++e)
        x[e] =
            valueOf(elementOf<T>(loadShared<sizeof(T)>(from + Tile::offset(row, col + e)).word[0]));
      f.put(i, x[0], x[1]);
    }
  }
}

/// The same for tiles and fragments of one 16-bit type with contiguous columns, by matrices of 8 x
/// 8, as storeFragmentMatrices stores them. PTX ISA "ldmatrix".
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentMatrices(Frag &f, u32 from, int row0, int col0,
                                                     int warp) {
  static_assert(isSame<typename Tile::Element, typename Frag::Element> &&
                    sizeof(typename Tile::Element) == 2 && Tile::minorDimension == 1 &&
                    Frag::columns % 16 == 0 && (Tile::swizzle || Tile::lineBytes % 16 == 0),
                "rows of 8 elements are whole and aligned");
  int lane = laneOfWarp();
#pragma unroll
  for (int i = 0; i < Frag::count; i += 8) {
    int block = i / (Frag::columns / 2), col = i % (Frag::columns / 2) / 4 * 8;
    int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + lane % 16;
    loadMatrices(from + Tile::offset(row0 + row, col0 + col + lane / 16 * 8), f.v[i / 2],
                 f.v[i / 2 + 1], f.v[i / 2 + 2], f.v[i / 2 + 3]);
  }
}

/// The same for tiles with contiguous rows, as storeFragmentTransposed stores them. PTX ISA
/// "ldmatrix", .trans.
template <class Tile, int warps, class Frag>
__device__ __forceinline__ void loadFragmentTransposed(Frag &f, u32 from, int row0, int col0,
                                                       int warp) {
  using Matrices = TransposedMatrices<Tile, warps, Frag>;
  static_assert(isSame<typename Tile::Element, typename Frag::Element>, "values as they are");
#pragma unroll
  for (int i = 0; i < Frag::count; i += 4) {
    if (!Matrices::isFirst(i))
      continue; // loaded with its left neighbour
    const u32 at = Matrices::address(from, row0, col0, i, warp);
    u32 *const v = f.v + i / 2;
    if (Matrices::isPair(i))
      loadTransposed(at, v[0], v[1], v[2], v[3]);
    else
      loadTransposed(at, v[0], v[1]);
  }
}

} // namespace sluice

// ---- sluice/integer.cuh
// Integer arithmetic that C++ leaves undefined, and coordinates of more than 32 bits.


namespace sluice {

// Towards zero; 0 for a divisor of 0, and around the end of the range.

__device__ __forceinline__ int quotient(int a, int b) {
  return b == 0 ? 0 : b == -1 ? int(0u - u32(a)) : a / b;
}
__device__ __forceinline__ i64 quotient(i64 a, i64 b) {
  return b == 0 ? 0 : b == -1 ? i64(u64(0) - u64(a)) : a / b;
}

__device__ __forceinline__ int remainder(int a, int b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
__device__ __forceinline__ i64 remainder(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

/// Of any divisor.
__device__ __forceinline__ i64 ceilDiv(i64 a, i64 b) {
  return quotient(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

/// A coordinate in 32 bits, with room for a tile's: far outside of a tensor is outside.
__device__ __forceinline__ int coordinate(i64 x) {
  constexpr i64 least = -(1 << 19), most = 0x7ff00000;
  return int(x < least ? least : x > most ? most : x);
}

/// Where a dimension ends that ends at `end` if not before.
__device__ __forceinline__ int clipped(int extent, i64 end) {
  return end < 0 ? 0 : end < extent ? int(end) : extent;
}

} // namespace sluice

// ---- sluice/lines.cuh
// Rows that may start at any element. On their way in bulk copies bring the pieces of 16 bytes that
// have a part of a row to shared memory as they lie, and who reads them shifts; on their way out
// lanes put pieces together from their own and those of the lane before.


// ---- sluice/mbarrier.cuh
// mbarriers in shared memory. PTX ISA "Parallel Synchronization and Communication Instructions:
// mbarrier"; addresses are those of the shared window.


namespace sluice {

/// An array of mbarriers, 8 bytes each.
struct Mbarriers {
  u32 base;
  __device__ __forceinline__ u32 operator[](int i) const { return base + 8 * u32(i); }
};


/// mbarrier.init: phase 0, `count` arrivals per phase.
template <int sync = 0> __device__ __forceinline__ void mbarrierInit(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; // sync %2" ::"r"(barrier), "r"(count),
               "n"(sync)
               : "memory");
}

/// mbarrier.inval
template <int sync = 0> __device__ __forceinline__ void mbarrierInval(u32 barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier), "n"(sync)
               : "memory");
}

/// mbarrier.arrive
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArrive(u32 barrier, u32 count = 1) {
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(barrier),
        "r"(count), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(barrier),
        "r"(count), "n"(sync)
        : "memory");
}

/// mbarrier.arrive on the barrier at the same place of CTA `rank`. CTA scope is enough for what
/// mostly crosses CTAs: the end of reads, and what TMA wrote, which complete_tx carries. What
/// ordinary stores wrote needs `.cluster` here and at the wait, which pays a membar.gpu.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveRemote(u32 barrier, u32 rank, u32 count = 1) {
  const u32 remote = addressInCluster(barrier, rank);
  if constexpr (scope == Scope::cta)
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
                 "r"(count), "n"(sync)
                 : "memory");
  else
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
        "r"(count), "n"(sync)
        : "memory");
}

/// mbarrier.arrive.expect_tx: announces bytes, then arrives once
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveExpectTx(u32 barrier, u32 bytes) {
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(
            barrier),
        "r"(bytes), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cluster.shared::cta.b64 _, [%0], %1; // sync %2" ::"r"(
            barrier),
        "r"(bytes), "n"(sync)
        : "memory");
}
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierArriveExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  const u32 remote = addressInCluster(barrier, rank);
  if constexpr (scope == Scope::cta)
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1; // sync %2" ::"r"(remote),
        "r"(bytes), "n"(sync)
        : "memory");
  else
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1; // sync %2" ::
            "r"(remote),
        "r"(bytes), "n"(sync)
        : "memory");
}

/// mbarrier.expect_tx: announces bytes without arriving
template <int sync = 0> __device__ __forceinline__ void mbarrierExpectTx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1; // sync %2" ::"r"(barrier),
               "r"(bytes), "n"(sync)
               : "memory");
}
template <int sync = 0>
__device__ __forceinline__ void mbarrierExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1; // sync %2" ::"r"(
                   addressInCluster(barrier, rank)),
               "r"(bytes), "n"(sync)
               : "memory");
}

/// mbarrier.complete_tx: as if so many bytes had come
__device__ __forceinline__ void mbarrierCompleteTx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}

/// mbarrier.try_wait.parity, until the phase of that parity has completed
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ void mbarrierWait(u32 barrier, u32 parity) {
  u32 done;
  [[maybe_unused]] const Deadline deadline;
  do {
    if constexpr (scope == Scope::cta)
      asm volatile("{\n"
                   ".reg .pred p;\n"
                   "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n"
                   "} // sync %3"
                   : "=r"(done)
                   : "r"(barrier), "r"(parity), "n"(sync)
                   : "memory");
    else
      asm volatile("{\n"
                   ".reg .pred p;\n"
                   "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n"
                   "} // sync %3"
                   : "=r"(done)
                   : "r"(barrier), "r"(parity), "n"(sync)
                   : "memory");
    if (!done && deadline.passed())
      mbarrierExpired(sync, barrier, parity);
  } while (!done);
}

/// mbarrier.test_wait.parity: whether the phase of that parity has completed. It does not wait; a
/// lane that is told so has acquired what a wait would.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ bool mbarrierTest(u32 barrier, u32 parity) {
  u32 done;
  if constexpr (scope == Scope::cta)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "} // sync %3"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity), "n"(sync)
                 : "memory");
  else
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "} // sync %3"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity), "n"(sync)
                 : "memory");
  return done != 0;
}
/// Whether all lanes of the warp were told so: one answer for all, so that they go one way.
template <Scope scope = Scope::cta, int sync = 0>
__device__ __forceinline__ bool mbarrierTestAll(u32 barrier, u32 parity) {
  return __all_sync(0xffffffffu, mbarrierTest<scope, sync>(barrier, parity));
}


} // namespace sluice


// ---- sluice/sync.cuh
// Barriers other than mbarriers, fences, asynchronous groups, registers of a warpgroup.


namespace sluice {


/// PTX ISA "bar.warp.sync"
template <int sync = 0> __device__ __forceinline__ void warpSync() {
  asm volatile("// sync %0" ::"n"(sync) : "memory");
  __syncwarp();
}

/// PTX ISA "bar{.cta}.sync": named barrier 0..15 of `threads` threads
template <int sync = 0> __device__ __forceinline__ void namedBarrierSync(int id, int threads) {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("bar.sync %0, %1; // sync %2" ::"r"(id), "r"(threads), "n"(sync) : "memory");
}
/// PTX ISA "bar{.cta}.arrive"
template <int sync = 0> __device__ __forceinline__ void namedBarrierArrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1; // sync %2" ::"r"(id), "r"(threads), "n"(sync) : "memory");
}

/// PTX ISA "barrier.cluster"
template <int sync = 0> __device__ __forceinline__ void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release; // sync %0" ::"n"(sync) : "memory");
}
template <int sync = 0> __device__ __forceinline__ void clusterArriveRelaxed() {
  asm volatile("barrier.cluster.arrive.relaxed; // sync %0" ::"n"(sync) : "memory");
}
template <int sync = 0> __device__ __forceinline__ void clusterWait() {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("barrier.cluster.wait.acquire; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "membar, fence": generic writes of this thread before accesses of the async proxy
template <int sync = 0> __device__ __forceinline__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta; // sync %0" ::"n"(sync) : "memory");
}
/// ... of global memory
template <int sync = 0> __device__ __forceinline__ void fenceProxyAsyncGlobal() {
  asm volatile("fence.proxy.async.global; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "membar, fence": mbarrier.init before arrivals of the cluster and of the async proxy
template <int sync = 0> __device__ __forceinline__ void fenceMbarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "membar, fence": what this thread has done before what it does next, for its CTA
__device__ __forceinline__ void fenceCta() {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
}

/// PTX ISA "cp.async.bulk.commit_group"
template <int sync = 0> __device__ __forceinline__ void bulkCommit() {
  asm volatile("cp.async.bulk.commit_group; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "cp.async.bulk.wait_group": at most `pending` groups of this thread remain
template <int pending, int sync = 0> __device__ __forceinline__ void bulkWait() {
  asm volatile("cp.async.bulk.wait_group %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}
/// ... whose sources are still being read
template <int pending, int sync = 0> __device__ __forceinline__ void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}

/// PTX ISA "cp.async.commit_group"
template <int sync = 0> __device__ __forceinline__ void cpAsyncCommit() {
  asm volatile("cp.async.commit_group; // sync %0" ::"n"(sync) : "memory");
}
/// PTX ISA "cp.async.wait_group"
template <int pending, int sync = 0> __device__ __forceinline__ void cpAsyncWait() {
  asm volatile("cp.async.wait_group %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
}
/// PTX ISA "cp.async.mbarrier.arrive": when all earlier cp.async of this thread ended
template <int sync = 0> __device__ __forceinline__ void cpAsyncArrive(u32 barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier), "n"(sync)
               : "memory");
}
/// ... `.noinc`: the count of the barrier includes this arrival
template <int sync = 0> __device__ __forceinline__ void cpAsyncArriveNoinc(u32 barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0]; // sync %1" ::"r"(barrier),
               "n"(sync)
               : "memory");
}

/// PTX ISA "griddepcontrol": until the kernel before has ended and its writes are visible
template <int sync = 0> __device__ __forceinline__ void waitForPreviousKernel() {
  [[maybe_unused]] const Watched watched(sync);
  asm volatile("griddepcontrol.wait; // sync %0" ::"n"(sync) : "memory");
}
/// ... the next kernel may start when every CTA has come here or ended
template <int sync = 0> __device__ __forceinline__ void launchDependents() {
  asm volatile("griddepcontrol.launch_dependents; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "setmaxnreg": all warps of the warpgroup call it
template <int registers> __device__ __forceinline__ void registersGrow() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ __forceinline__ void registersShrink() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}


} // namespace sluice


// ---- sluice/tma.cuh
// Tensor copies of the bulk copy engine. PTX ISA "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor", "prefetch.tensormap".


namespace sluice {


/// What cuTensorMapEncodeTiled fills; a `const __grid_constant__` kernel parameter.
struct alignas(64) TensorMap {
  u64 opaque[16];
};

__device__ __forceinline__ void tmaPrefetch(const TensorMap &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// One box, coordinates with the contiguous dimension first.
#define SLUICE_TMA_LOAD(rank, coordinates, ...)                                                    \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile"                       \
               ".mbarrier::complete_tx::bytes [%0], [%1, " coordinates "], [%2];" ::"r"(to),       \
               "l"(&map), "r"(barrier), __VA_ARGS__                                                \
               : "memory")

__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0) {
  SLUICE_TMA_LOAD(1, "{%3}", "r"(c0));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1) {
  SLUICE_TMA_LOAD(2, "{%3, %4}", "r"(c0), "r"(c1));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2) {
  SLUICE_TMA_LOAD(3, "{%3, %4, %5}", "r"(c0), "r"(c1), "r"(c2));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2, int c3) {
  SLUICE_TMA_LOAD(4, "{%3, %4, %5, %6}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));
}
__device__ __forceinline__ void tmaLoadBox(u32 to, const TensorMap &map, u32 barrier, int c0,
                                           int c1, int c2, int c3, int c4) {
  SLUICE_TMA_LOAD(5, "{%3, %4, %5, %6, %7}", "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4));
}
#undef SLUICE_TMA_LOAD

// The same box into every CTA of `mask`, at the same places; each CTA's barrier gets the bytes.
#define SLUICE_TMA_MULTICAST(rank, coordinates, ...)                                               \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile"                       \
               ".mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, " coordinates          \
               "], [%2], %3;" ::"r"(to),                                                           \
               "l"(&map), "r"(barrier), "h"(mask), __VA_ARGS__                                     \
               : "memory")

__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0) {
  SLUICE_TMA_MULTICAST(1, "{%4}", "r"(c0));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1) {
  SLUICE_TMA_MULTICAST(2, "{%4, %5}", "r"(c0), "r"(c1));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2) {
  SLUICE_TMA_MULTICAST(3, "{%4, %5, %6}", "r"(c0), "r"(c1), "r"(c2));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2, int c3) {
  SLUICE_TMA_MULTICAST(4, "{%4, %5, %6, %7}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));
}
__device__ __forceinline__ void tmaMulticastBox(u16 mask, u32 to, const TensorMap &map, u32 barrier,
                                                int c0, int c1, int c2, int c3, int c4) {
  SLUICE_TMA_MULTICAST(5, "{%4, %5, %6, %7, %8}", "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4));
}
#undef SLUICE_TMA_MULTICAST

#define SLUICE_TMA_STORE(instruction, rank, coordinates, ...)                                      \
  asm volatile(instruction "." #rank "d.global.shared::cta" SLUICE_TMA_KIND                        \
                           ".bulk_group [%0, " coordinates "], [%1];" ::"l"(&map),                 \
               "r"(from), __VA_ARGS__                                                              \
               : "memory")

#define SLUICE_TMA_STORES(name, instruction)                                                       \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0) {                   \
    SLUICE_TMA_STORE(instruction, 1, "{%2}", "r"(c0));                                             \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1) {           \
    SLUICE_TMA_STORE(instruction, 2, "{%2, %3}", "r"(c0), "r"(c1));                                \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2) {   \
    SLUICE_TMA_STORE(instruction, 3, "{%2, %3, %4}", "r"(c0), "r"(c1), "r"(c2));                   \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2,     \
                                       int c3) {                                                   \
    SLUICE_TMA_STORE(instruction, 4, "{%2, %3, %4, %5}", "r"(c0), "r"(c1), "r"(c2), "r"(c3));      \
  }                                                                                                \
  __device__ __forceinline__ void name(const TensorMap &map, u32 from, int c0, int c1, int c2,     \
                                       int c3, int c4) {                                           \
    SLUICE_TMA_STORE(instruction, 5, "{%2, %3, %4, %5, %6}", "r"(c0), "r"(c1), "r"(c2), "r"(c3),   \
                     "r"(c4));                                                                     \
  }

// Clipped at the extents of the tensor; member of the thread's bulk group.
#define SLUICE_TMA_KIND ".tile"
SLUICE_TMA_STORES(tmaStoreBox, "cp.async.bulk.tensor")
#undef SLUICE_TMA_KIND
// Adds to what is there.
#define SLUICE_TMA_KIND ".add.tile"
SLUICE_TMA_STORES(tmaAddBox, "cp.reduce.async.bulk.tensor")
#undef SLUICE_TMA_KIND
#undef SLUICE_TMA_STORES
#undef SLUICE_TMA_STORE

/// PTX ISA "cp.async.bulk": pieces of 16 bytes of a tensor to shared memory.
__device__ __forceinline__ void bulkLoad(u32 to, u64 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
               "[%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
/// The same: shared memory to that of a peer, whose barrier counts the bytes. All
/// addresses but `from` are of the cluster.
__device__ __forceinline__ void bulkCopyToPeer(u32 to, u32 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], "
               "%2, [%3];" ::"r"(to),
               "r"(from), "r"(bytes), "r"(barrier)
               : "memory");
}


/// `boxes` boxes side by side along the contiguous dimension, `step` elements each; a box's copy in
/// shared memory starts `chunk` bytes after the one before.
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaLoad(u32 to, const TensorMap &map, u32 barrier, int c0,
                                        Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaLoadBox(to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaMulticast(u32 mask, u32 to, const TensorMap &map, u32 barrier,
                                             int c0, Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaMulticastBox(u16(mask), to + i * chunk, map, barrier, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaStore(const TensorMap &map, u32 from, int c0,
                                         Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaStoreBox(map, from + i * chunk, c0 + i * step, others...);
}
template <int boxes, int step, int chunk, class... Coordinates>
__device__ __forceinline__ void tmaAdd(const TensorMap &map, u32 from, int c0,
                                       Coordinates... others) {
#pragma unroll
  for (int i = 0; i < boxes; ++i)
    tmaAddBox(map, from + i * chunk, c0 + i * step, others...);
}

} // namespace sluice

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


/// The elements of a tensor between two of its bytes.
template <class T> __device__ __forceinline__ void loadByElements(u32 to, u64 from, u64 end) {
  constexpr int size = int(sizeof(T));
  for (; from < end; from += size, to += size)
    storeShared<size>(to, loadGlobal<size>(reinterpret_cast<const void *>(from)));
}

/// A line of a tensor, by its bytes; which pieces of 16 have a part of it.
struct LineBytes {
  u64 from, last;
  __device__ __forceinline__ u32 skip() const { return u32(from) % 16; } // of the first piece
  __device__ __forceinline__ u64 firstPiece() const { return from & ~u64(15); }
  __device__ __forceinline__ u64 behindPieces() const { return (last + 15) & ~u64(15); }
  __device__ __forceinline__ u32 bytesOfPieces() const {
    return u32(behindPieces() - firstPiece());
  }
};

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
    storeShared<8>(at, Piece{{line(l).skip(), u32(count)}});
    copy(at + Tile::margin, line(l).firstPiece(), line(l).bytesOfPieces());
  }
}

/// Any line: pieces that reach out of the tensor, which has whole ones between `first` and
/// `behind`, go by elements.
template <class T, class Copy>
__device__ __forceinline__ void loadOuterLine(const Copy &copy, u32 to, LineBytes line, u64 first,
                                              u64 behind, u32 barrier) {
  const u32 at = to + line.skip(); // of the first element
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
      const u32 at = to + Tile::line(line0 + l);
      const int count = inside(w.row + l, w.rows) ? most : 0;
      storeShared<8>(at, Piece{{line(l).skip(), u32(count)}});
      if (count > 0)
        loadOuterLine<T>(copy, at + Tile::margin, line(l), first, behind, barrier);
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
      held[p] = loadSharedAgain(from + u32((col + laneOfWarp() * 8) * size + p * 16));
#pragma unroll
    for (int p = 0; p < pieces; ++p)
      row.eight[col / 256].template take<16>(p * 16, skipped<words>(held[p], held[p + 1], bits));
  }
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
};

/// The whole pieces of row r of the warp's: 16 aligned bytes from 4 * words + bits / 8 bytes behind
/// the start of the piece of the lane before; words 4: they are the lanes' own. Columns count from
/// `line` on, where a piece begins.
template <int words, class T, class S, int rows, int N>
__device__ __forceinline__ void storeLine(T *line, const Blocked<S, rows, N> &f, int r, u32 bits,
                                          int lead, const StoredColumns &columns) {
  constexpr int size = int(sizeof(T)), elements = 16 / size, pieces = 8 / elements;
  const u32 mine = u32(laneOfWarp() * 8 - lead - columns.whole);
  const u32 count = u32(columns.rest - columns.whole);
  T *const start = asBase(line + laneOfWarp() * 8);
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
      const int at = col + p * elements;
      storeGlobalIf<16>(mine + u32(at) < count, start + at, skipped<words>(low, high, bits));
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
    constexpr int around = 2 * elements; // at most, on either side
    storeColumns(line, f, r, begin, columns.whole, begin, begin + around);
    storeColumns(line, f, r, columns.rest, end, end - around, end);
  }
}


} // namespace sluice

// ---- sluice/wgmma.cuh
// Warpgroup matrix multiplication on tiles: d[M,N] += a[M,K] b[K,N], 64 rows per instruction.


// ---- sluice/wgmma_shapes.cuh
// wgmma.mma_async for every N; K is 32 bytes of an operand. Sums in f32, those of s8 in s32 (N
// above 32 in 16, wrapping around). Made by wgmma_shapes.py. PTX ISA "Asynchronous Warpgroup Level
// Matrix Instructions: wgmma.mma_async".


namespace sluice {

/// ss: A of T and B of S by descriptor; rs: A in four registers, both of T. `d` += when
/// `accumulate` is not 0. transposeA, transposeB: 1 where the operand is not K-major, which only
/// f16 and bf16 may be.
template <int N> struct WgmmaShape;

#define SLUICE_D8 "%0, %1, %2, %3"
#define SLUICE_V8(C) C(d[0]), C(d[1]), C(d[2]), C(d[3])
#define SLUICE_D16                                                                                 \
  SLUICE_D8 ", "                                                                                   \
            "%4, %5, %6, %7"
#define SLUICE_V16(C) SLUICE_V8(C), C(d[4]), C(d[5]), C(d[6]), C(d[7])
#define SLUICE_D24                                                                                 \
  SLUICE_D16 ", "                                                                                  \
             "%8, %9, %10, %11"
#define SLUICE_V24(C) SLUICE_V16(C), C(d[8]), C(d[9]), C(d[10]), C(d[11])
#define SLUICE_D32                                                                                 \
  SLUICE_D24 ", "                                                                                  \
             "%12, %13, %14, %15"
#define SLUICE_V32(C) SLUICE_V24(C), C(d[12]), C(d[13]), C(d[14]), C(d[15])
#define SLUICE_D40                                                                                 \
  SLUICE_D32 ", "                                                                                  \
             "%16, %17, %18, %19"
#define SLUICE_V40(C) SLUICE_V32(C), C(d[16]), C(d[17]), C(d[18]), C(d[19])
#define SLUICE_D48                                                                                 \
  SLUICE_D40 ", "                                                                                  \
             "%20, %21, %22, %23"
#define SLUICE_V48(C) SLUICE_V40(C), C(d[20]), C(d[21]), C(d[22]), C(d[23])
#define SLUICE_D56                                                                                 \
  SLUICE_D48 ", "                                                                                  \
             "%24, %25, %26, %27"
#define SLUICE_V56(C) SLUICE_V48(C), C(d[24]), C(d[25]), C(d[26]), C(d[27])
#define SLUICE_D64                                                                                 \
  SLUICE_D56 ", "                                                                                  \
             "%28, %29, %30, %31"
#define SLUICE_V64(C) SLUICE_V56(C), C(d[28]), C(d[29]), C(d[30]), C(d[31])
#define SLUICE_D72                                                                                 \
  SLUICE_D64 ", "                                                                                  \
             "%32, %33, %34, %35"
#define SLUICE_V72(C) SLUICE_V64(C), C(d[32]), C(d[33]), C(d[34]), C(d[35])
#define SLUICE_D80                                                                                 \
  SLUICE_D72 ", "                                                                                  \
             "%36, %37, %38, %39"
#define SLUICE_V80(C) SLUICE_V72(C), C(d[36]), C(d[37]), C(d[38]), C(d[39])
#define SLUICE_D88                                                                                 \
  SLUICE_D80 ", "                                                                                  \
             "%40, %41, %42, %43"
#define SLUICE_V88(C) SLUICE_V80(C), C(d[40]), C(d[41]), C(d[42]), C(d[43])
#define SLUICE_D96                                                                                 \
  SLUICE_D88 ", "                                                                                  \
             "%44, %45, %46, %47"
#define SLUICE_V96(C) SLUICE_V88(C), C(d[44]), C(d[45]), C(d[46]), C(d[47])
#define SLUICE_D104                                                                                \
  SLUICE_D96 ", "                                                                                  \
             "%48, %49, %50, %51"
#define SLUICE_V104(C) SLUICE_V96(C), C(d[48]), C(d[49]), C(d[50]), C(d[51])
#define SLUICE_D112                                                                                \
  SLUICE_D104 ", "                                                                                 \
              "%52, %53, %54, %55"
#define SLUICE_V112(C) SLUICE_V104(C), C(d[52]), C(d[53]), C(d[54]), C(d[55])
#define SLUICE_D120                                                                                \
  SLUICE_D112 ", "                                                                                 \
              "%56, %57, %58, %59"
#define SLUICE_V120(C) SLUICE_V112(C), C(d[56]), C(d[57]), C(d[58]), C(d[59])
#define SLUICE_D128                                                                                \
  SLUICE_D120 ", "                                                                                 \
              "%60, %61, %62, %63"
#define SLUICE_V128(C) SLUICE_V120(C), C(d[60]), C(d[61]), C(d[62]), C(d[63])
#define SLUICE_D136                                                                                \
  SLUICE_D128 ", "                                                                                 \
              "%64, %65, %66, %67"
#define SLUICE_V136(C) SLUICE_V128(C), C(d[64]), C(d[65]), C(d[66]), C(d[67])
#define SLUICE_D144                                                                                \
  SLUICE_D136 ", "                                                                                 \
              "%68, %69, %70, %71"
#define SLUICE_V144(C) SLUICE_V136(C), C(d[68]), C(d[69]), C(d[70]), C(d[71])
#define SLUICE_D152                                                                                \
  SLUICE_D144 ", "                                                                                 \
              "%72, %73, %74, %75"
#define SLUICE_V152(C) SLUICE_V144(C), C(d[72]), C(d[73]), C(d[74]), C(d[75])
#define SLUICE_D160                                                                                \
  SLUICE_D152 ", "                                                                                 \
              "%76, %77, %78, %79"
#define SLUICE_V160(C) SLUICE_V152(C), C(d[76]), C(d[77]), C(d[78]), C(d[79])
#define SLUICE_D168                                                                                \
  SLUICE_D160 ", "                                                                                 \
              "%80, %81, %82, %83"
#define SLUICE_V168(C) SLUICE_V160(C), C(d[80]), C(d[81]), C(d[82]), C(d[83])
#define SLUICE_D176                                                                                \
  SLUICE_D168 ", "                                                                                 \
              "%84, %85, %86, %87"
#define SLUICE_V176(C) SLUICE_V168(C), C(d[84]), C(d[85]), C(d[86]), C(d[87])
#define SLUICE_D184                                                                                \
  SLUICE_D176 ", "                                                                                 \
              "%88, %89, %90, %91"
#define SLUICE_V184(C) SLUICE_V176(C), C(d[88]), C(d[89]), C(d[90]), C(d[91])
#define SLUICE_D192                                                                                \
  SLUICE_D184 ", "                                                                                 \
              "%92, %93, %94, %95"
#define SLUICE_V192(C) SLUICE_V184(C), C(d[92]), C(d[93]), C(d[94]), C(d[95])
#define SLUICE_D200                                                                                \
  SLUICE_D192 ", "                                                                                 \
              "%96, %97, %98, %99"
#define SLUICE_V200(C) SLUICE_V192(C), C(d[96]), C(d[97]), C(d[98]), C(d[99])
#define SLUICE_D208                                                                                \
  SLUICE_D200 ", "                                                                                 \
              "%100, %101, %102, %103"
#define SLUICE_V208(C) SLUICE_V200(C), C(d[100]), C(d[101]), C(d[102]), C(d[103])
#define SLUICE_D216                                                                                \
  SLUICE_D208 ", "                                                                                 \
              "%104, %105, %106, %107"
#define SLUICE_V216(C) SLUICE_V208(C), C(d[104]), C(d[105]), C(d[106]), C(d[107])
#define SLUICE_D224                                                                                \
  SLUICE_D216 ", "                                                                                 \
              "%108, %109, %110, %111"
#define SLUICE_V224(C) SLUICE_V216(C), C(d[108]), C(d[109]), C(d[110]), C(d[111])
#define SLUICE_D232                                                                                \
  SLUICE_D224 ", "                                                                                 \
              "%112, %113, %114, %115"
#define SLUICE_V232(C) SLUICE_V224(C), C(d[112]), C(d[113]), C(d[114]), C(d[115])
#define SLUICE_D240                                                                                \
  SLUICE_D232 ", "                                                                                 \
              "%116, %117, %118, %119"
#define SLUICE_V240(C) SLUICE_V232(C), C(d[116]), C(d[117]), C(d[118]), C(d[119])
#define SLUICE_D248                                                                                \
  SLUICE_D240 ", "                                                                                 \
              "%120, %121, %122, %123"
#define SLUICE_V248(C) SLUICE_V240(C), C(d[120]), C(d[121]), C(d[122]), C(d[123])
#define SLUICE_D256                                                                                \
  SLUICE_D248 ", "                                                                                 \
              "%124, %125, %126, %127"
#define SLUICE_V256(C) SLUICE_V248(C), C(d[124]), C(d[125]), C(d[126]), C(d[127])

#define SLUICE_WGMMA_SS(N, TYPE, A, B, P, TA, TB)                                                  \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %" #P ", 0;\n"                                                      \
               "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" SLUICE_D##N    \
               "}, "                                                                               \
               "%" #A ", %" #B ", p, 1, 1, %" #TA ", %" #TB ";\n"                                  \
               "}"                                                                                 \
               : SLUICE_V##N("+f")                                                                 \
               : "l"(a), "l"(b), "r"(accumulate), "n"(transposeA), "n"(transposeB)                 \
               : "memory")

#define SLUICE_WGMMA_RS(N, TYPE, A0, A1, A2, A3, B, P, TB)                                         \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %" #P ", 0;\n"                                                      \
               "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" SLUICE_D##N    \
               "}, "                                                                               \
               "{%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #B ", p, 1, 1, %" #TB ";\n"           \
               "}"                                                                                 \
               : SLUICE_V##N("+f")                                                                 \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate),              \
                 "n"(transposeB)                                                                   \
               : "memory")

#define SLUICE_WGMMA_K(N, K, TYPES, C, A, B, P, SIGNS)                                             \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %" #P ", 0;\n"                                                      \
               "wgmma.mma_async.sync.aligned.m64n" #N "k" #K "." TYPES " {" SLUICE_D##N            \
               "}, "                                                                               \
               "%" #A ", %" #B ", p" SIGNS ";\n"                                                   \
               "}"                                                                                 \
               : SLUICE_V##N(C)                                                                    \
               : "l"(a), "l"(b), "r"(accumulate)                                                   \
               : "memory")

// R0 .. R6: numbers of the operands after the N/2 registers of d.
#define SLUICE_WGMMA_SHAPE(N, R0, R1, R2, R3, R4, R5, R6)                                          \
  template <> struct WgmmaShape<N> {                                                               \
    template <class T, class S, int transposeA, int transposeB, class D>                           \
    static __device__ __forceinline__ void ss(D *d, u64 a, u64 b, int accumulate) {                \
      if constexpr (isSame<T, bf16>)                                                               \
        SLUICE_WGMMA_SS(N, "bf16", R0, R1, R2, R3, R4);                                            \
      else if constexpr (isSame<T, f16>)                                                           \
        SLUICE_WGMMA_SS(N, "f16", R0, R1, R2, R3, R4);                                             \
      else if constexpr (isSame<T, tf32> && isSame<S, tf32>)                                       \
        SLUICE_WGMMA_K(N, 8, "f32.tf32.tf32", "+f", R0, R1, R2, ", 1, 1");                         \
      else if constexpr (isSame<T, e4m3> && isSame<S, e4m3>)                                       \
        SLUICE_WGMMA_K(N, 32, "f32.e4m3.e4m3", "+f", R0, R1, R2, ", 1, 1");                        \
      else if constexpr (isSame<T, e4m3> && isSame<S, e5m2>)                                       \
        SLUICE_WGMMA_K(N, 32, "f32.e4m3.e5m2", "+f", R0, R1, R2, ", 1, 1");                        \
      else if constexpr (isSame<T, e5m2> && isSame<S, e4m3>)                                       \
        SLUICE_WGMMA_K(N, 32, "f32.e5m2.e4m3", "+f", R0, R1, R2, ", 1, 1");                        \
      else if constexpr (isSame<T, e5m2> && isSame<S, e5m2>)                                       \
        SLUICE_WGMMA_K(N, 32, "f32.e5m2.e5m2", "+f", R0, R1, R2, ", 1, 1");                        \
      else if constexpr (isSame<T, s8> && isSame<S, s8>)                                           \
        SLUICE_WGMMA_K(N, 32, "s32.s8.s8", "+r", R0, R1, R2, "");                                  \
    }                                                                                              \
    template <class T, int transposeB>                                                             \
    static __device__ __forceinline__ void rs(float *d, const u32 *a, u64 b, int accumulate) {     \
      if constexpr (isSame<T, bf16>)                                                               \
        SLUICE_WGMMA_RS(N, "bf16", R0, R1, R2, R3, R4, R5, R6);                                    \
      else if constexpr (isSame<T, f16>)                                                           \
        SLUICE_WGMMA_RS(N, "f16", R0, R1, R2, R3, R4, R5, R6);                                     \
    }                                                                                              \
  }

SLUICE_WGMMA_SHAPE(8, 4, 5, 6, 7, 8, 9, 10);
SLUICE_WGMMA_SHAPE(16, 8, 9, 10, 11, 12, 13, 14);
SLUICE_WGMMA_SHAPE(24, 12, 13, 14, 15, 16, 17, 18);
SLUICE_WGMMA_SHAPE(32, 16, 17, 18, 19, 20, 21, 22);
SLUICE_WGMMA_SHAPE(40, 20, 21, 22, 23, 24, 25, 26);
SLUICE_WGMMA_SHAPE(48, 24, 25, 26, 27, 28, 29, 30);
SLUICE_WGMMA_SHAPE(56, 28, 29, 30, 31, 32, 33, 34);
SLUICE_WGMMA_SHAPE(64, 32, 33, 34, 35, 36, 37, 38);
SLUICE_WGMMA_SHAPE(72, 36, 37, 38, 39, 40, 41, 42);
SLUICE_WGMMA_SHAPE(80, 40, 41, 42, 43, 44, 45, 46);
SLUICE_WGMMA_SHAPE(88, 44, 45, 46, 47, 48, 49, 50);
SLUICE_WGMMA_SHAPE(96, 48, 49, 50, 51, 52, 53, 54);
SLUICE_WGMMA_SHAPE(104, 52, 53, 54, 55, 56, 57, 58);
SLUICE_WGMMA_SHAPE(112, 56, 57, 58, 59, 60, 61, 62);
SLUICE_WGMMA_SHAPE(120, 60, 61, 62, 63, 64, 65, 66);
SLUICE_WGMMA_SHAPE(128, 64, 65, 66, 67, 68, 69, 70);
SLUICE_WGMMA_SHAPE(136, 68, 69, 70, 71, 72, 73, 74);
SLUICE_WGMMA_SHAPE(144, 72, 73, 74, 75, 76, 77, 78);
SLUICE_WGMMA_SHAPE(152, 76, 77, 78, 79, 80, 81, 82);
SLUICE_WGMMA_SHAPE(160, 80, 81, 82, 83, 84, 85, 86);
SLUICE_WGMMA_SHAPE(168, 84, 85, 86, 87, 88, 89, 90);
SLUICE_WGMMA_SHAPE(176, 88, 89, 90, 91, 92, 93, 94);
SLUICE_WGMMA_SHAPE(184, 92, 93, 94, 95, 96, 97, 98);
SLUICE_WGMMA_SHAPE(192, 96, 97, 98, 99, 100, 101, 102);
SLUICE_WGMMA_SHAPE(200, 100, 101, 102, 103, 104, 105, 106);
SLUICE_WGMMA_SHAPE(208, 104, 105, 106, 107, 108, 109, 110);
SLUICE_WGMMA_SHAPE(216, 108, 109, 110, 111, 112, 113, 114);
SLUICE_WGMMA_SHAPE(224, 112, 113, 114, 115, 116, 117, 118);
SLUICE_WGMMA_SHAPE(232, 116, 117, 118, 119, 120, 121, 122);
SLUICE_WGMMA_SHAPE(240, 120, 121, 122, 123, 124, 125, 126);
SLUICE_WGMMA_SHAPE(248, 124, 125, 126, 127, 128, 129, 130);
SLUICE_WGMMA_SHAPE(256, 128, 129, 130, 131, 132, 133, 134);

#undef SLUICE_D8
#undef SLUICE_V8
#undef SLUICE_D16
#undef SLUICE_V16
#undef SLUICE_D24
#undef SLUICE_V24
#undef SLUICE_D32
#undef SLUICE_V32
#undef SLUICE_D40
#undef SLUICE_V40
#undef SLUICE_D48
#undef SLUICE_V48
#undef SLUICE_D56
#undef SLUICE_V56
#undef SLUICE_D64
#undef SLUICE_V64
#undef SLUICE_D72
#undef SLUICE_V72
#undef SLUICE_D80
#undef SLUICE_V80
#undef SLUICE_D88
#undef SLUICE_V88
#undef SLUICE_D96
#undef SLUICE_V96
#undef SLUICE_D104
#undef SLUICE_V104
#undef SLUICE_D112
#undef SLUICE_V112
#undef SLUICE_D120
#undef SLUICE_V120
#undef SLUICE_D128
#undef SLUICE_V128
#undef SLUICE_D136
#undef SLUICE_V136
#undef SLUICE_D144
#undef SLUICE_V144
#undef SLUICE_D152
#undef SLUICE_V152
#undef SLUICE_D160
#undef SLUICE_V160
#undef SLUICE_D168
#undef SLUICE_V168
#undef SLUICE_D176
#undef SLUICE_V176
#undef SLUICE_D184
#undef SLUICE_V184
#undef SLUICE_D192
#undef SLUICE_V192
#undef SLUICE_D200
#undef SLUICE_V200
#undef SLUICE_D208
#undef SLUICE_V208
#undef SLUICE_D216
#undef SLUICE_V216
#undef SLUICE_D224
#undef SLUICE_V224
#undef SLUICE_D232
#undef SLUICE_V232
#undef SLUICE_D240
#undef SLUICE_V240
#undef SLUICE_D248
#undef SLUICE_V248
#undef SLUICE_D256
#undef SLUICE_V256
#undef SLUICE_WGMMA_SS
#undef SLUICE_WGMMA_RS
#undef SLUICE_WGMMA_K
#undef SLUICE_WGMMA_SHAPE

} // namespace sluice

namespace sluice {

/// An operand in shared memory. PTX ISA "wgmma: Matrix Descriptor Format": address, leading and
/// stride byte offsets in units of 16 bytes at bits 0, 16 and 32; swizzle 1, 2, 3 (128, 64, 32
/// bytes) at 62. kMajor: K is the contiguous dimension. In this layout of chunks
///   K-major:  8 lines of M or N are 8 * span apart (stride); the leading offset has no meaning;
///   MN-major: 8 lines of K are 8 * span apart (stride), spans of M or N one chunk (leading).
template <class Tile, bool kMajor> struct SharedOperand {
  using Element = typename Tile::Element;
  static constexpr bool isKMajor = kMajor;
  static constexpr int span = Tile::swizzle;
  static_assert(span == 32 || span == 64 || span == 128, "wgmma reads swizzled tiles");
  static constexpr u32 leading = kMajor ? 1 : Tile::chunkBytes / 16;
  static constexpr u32 stride = 8 * span / 16;
  static constexpr u32 swizzle = span == 128 ? 1 : span == 64 ? 2 : 3;
  u32 start; // bits 0 to 31

  __device__ __forceinline__ u64 descriptor() const {
    return start | u64(stride | swizzle << 30) << 32;
  }

  /// The operand from element (mn, k) on: mn a multiple of 8 (K-major) or of a span, k of 32
  /// bytes.
  __device__ __forceinline__ SharedOperand from(int mn, int k) const {
    constexpr int elements = Tile::chunkElements;
    int bytes =
        kMajor ? mn * span + k / elements * Tile::chunkBytes + k % elements * int(sizeof(Element))
               : mn / elements * Tile::chunkBytes + k * span;
    return SharedOperand{start + u32(bytes / 16)};
  }
};

template <bool kMajor, class Tile, int slotBytes>
__device__ __forceinline__ SharedOperand<Tile, kMajor> operandOf(Buffer<Tile, slotBytes> buffer,
                                                                 int slot) {
  using Operand = SharedOperand<Tile, kMajor>;
  static_assert(slotBytes % 16 == 0, "slots start at multiples of 16 bytes");
  // The slot is added last: what stands before does not change in a loop.
  return {((buffer.base >> 4 & 0x3fff) | Operand::leading << 16) + u32(slot * (slotBytes / 16))};
}
template <class Tile, int slotBytes>
__device__ __forceinline__ auto kMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return operandOf<true>(buffer, slot);
}
template <class Tile, int slotBytes>
__device__ __forceinline__ auto mnMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return operandOf<false>(buffer, slot);
}

/// A in registers, from column `first` of its fragment on.
template <class Frag> struct RegisterOperand {
  const Frag &fragment;
  int first;
};
template <class Frag>
__device__ __forceinline__ RegisterOperand<Frag> inRegisters(const Frag &fragment, int first = 0) {
  return {fragment, first};
}


/// PTX ISA "wgmma.fence": register operands written before are seen by the wgmma after.
template <int sync = 0, class... Frags>
__device__ __forceinline__ void wgmmaFence(Frags &...frags) {
  (pin(frags), ...);
  asm volatile("wgmma.fence.sync.aligned; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "wgmma.commit_group"
template <int sync = 0> __device__ __forceinline__ void wgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned; // sync %0" ::"n"(sync) : "memory");
}

/// PTX ISA "wgmma.wait_group": at most `pending` groups remain; later reads of `frags` stay behind
/// it.
template <int pending, int sync = 0, class... Frags>
__device__ __forceinline__ void wgmmaWait(Frags &...frags) {
  asm volatile("wgmma.wait_group.sync.aligned %0; // sync %1" ::"n"(pending), "n"(sync) : "memory");
  (pin(frags), ...);
}


/// K in 32 bytes of an instruction; `warpgroup` of `warpgroups` of the role.
template <int K, int warpgroups, class D, int N, int blocks, class A, bool aMajor, class B,
          bool bMajor>
__device__ __forceinline__ void wgmma(Fragment<D, N, blocks> &d, SharedOperand<A, aMajor> a,
                                      SharedOperand<B, bMajor> b, bool accumulate, int warpgroup) {
  using T = typename A::Element;
  using S = typename B::Element;
  static_assert(isSame<T, S> || (isFloat8<T> && isFloat8<S>), "only 8-bit floats are mixed");
  static_assert(sizeof(T) == 2 || (aMajor && bMajor), "only operands of 16 bits are transposed");
  constexpr int step = 32 / int(sizeof(T));
#pragma unroll
  for (int block = 0; block < blocks; ++block) {
    auto rows = a.from(64 * (block * warpgroups + warpgroup), 0);
#pragma unroll
    for (int k = 0; k < K; k += step)
      WgmmaShape<N>::template ss<T, S, !aMajor, !bMajor>(
          d.v + block * N / 2, rows.from(0, k).descriptor(), b.from(0, k).descriptor(),
          k > 0 || accumulate);
  }
}
template <int K, int N, int blocks, class Frag, class B, bool bMajor>
__device__ __forceinline__ void wgmma(Fragment<float, N, blocks> &d, RegisterOperand<Frag> a,
                                      SharedOperand<B, bMajor> b, bool accumulate) {
  static_assert(Frag::rowBlocks == blocks, "a and d have the same rows");
  static_assert(sizeof(typename B::Element) == 2, "other operands have another fragment");
#pragma unroll
  for (int block = 0; block < blocks; ++block)
#pragma unroll
    for (int k = 0; k < K; k += 16)
      WgmmaShape<N>::template rs<typename B::Element, !bMajor>(
          d.v + block * N / 2, a.fragment.v + (block * Frag::columns + a.first + k) / 4,
          b.from(0, k).descriptor(), k > 0 || accumulate);
}

} // namespace sluice

// ---- sluice/checksums.cuh
// What ring slots held when they were read: for kernels printed with checksums. Who does not print
// them has no instruction of this.


namespace sluice {

/// The part of a word at its place in the sum over a slot: the finaliser of SplitMix64 (Steele,
/// Lea, Flood). lib/Emit/Checksums.cpp has the same function.
__device__ __forceinline__ u64 checksumOfWord(u32 word, u32 index) {
  u64 x = (u64(index) << 32 | word) + 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}


/// The sums of a warp, in `1 + kept` words behind those of the warps before, CTA after CTA; the
/// first word is their number. What comes after `kept` is counted and not kept.
template <u32 kept> class Checksums {
public:
  __device__ __forceinline__ explicit Checksums(u64 *all) {
    const u64 cta = blockIdx.x + u64(gridDim.x) * (blockIdx.y + u64(gridDim.y) * blockIdx.z);
    words_ = all + (cta * (blockDim.x / 32) + threadIdx.x / 32) * (1 + kept);
  }

  /// All lanes call it. The bytes are a multiple of four.
  __device__ __forceinline__ void slot(u32 address, u32 bytes) {
    u64 sum = 0;
    for (u32 i = laneOfWarp(); i < bytes / 4; i += 32) {
      u32 word;
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address + 4 * i) : "memory");
      sum += checksumOfWord(word, i);
    }
    for (int lanes = 16; lanes; lanes /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (++count_ <= kept && laneOfWarp() == 0)
      words_[count_] = sum;
  }

  /// The warp has done all that it does.
  __device__ __forceinline__ void finish() {
    if (laneOfWarp() == 0)
      words_[0] = count_;
  }

private:
  u64 *words_;
  u32 count_ = 0;
};


} // namespace sluice

// ---- sluice/stamps.cuh
// When the warps of one CTA did what: for kernels printed with stamps. Who does not print them has
// no instruction of this.


namespace sluice {

/// What a warp did from `begin` on, in clocks of its SM. The first of a warp tells of the warp as a
/// whole: when it began, how long it ran, and how many events it had.
struct alignas(16) Stamp {
  u64 begin;
  u32 cycles, event;
};

/// PTX ISA "%clock64". It counts the clocks of one SM, and all warps of a CTA run on one, so that
/// their stamps can be compared to the cycle; %globaltimer is one for all SMs, in steps that may be
/// a microsecond.
__device__ __forceinline__ u64 clockOfSm() {
  u64 clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return clock;
}

/// PTX ISA "%clock": its lower half.
__device__ __forceinline__ u32 lowClockOfSm() {
  u32 clock;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
  return clock;
}

/// The stamps of a warp of CTA `cta` (counted with x fastest), in `1 + kept` records behind those
/// of the warps before. One lane writes: the one that electLane() always names. What comes after
/// `kept` events is counted and not kept. Two registers live along with the kernel's own.
template <u32 kept> class Stamps {
public:
  __device__ __forceinline__ Stamps(Stamp *all, u32 cta) : all_(all) {
    if (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z) != cta || !electLane())
      return;
    last_ = first();
    all_[last_].begin = clockOfSm();
  }

  __device__ __forceinline__ void begin() { begin_ = lowClockOfSm(); }

  /// Nothing lasts as long as the lower half of the clock.
  __device__ __forceinline__ void end(u32 event) {
    const u64 now = clockOfSm();
    const u32 cycles = u32(now) - begin_;
    const u64 from = now - cycles;
    last_ += last_ != nobody;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.le.u32 p, %5, %6;\n"
                 "@p st.global.v4.b32 [%0], {%1, %2, %3, %4};\n"
                 "}" ::"l"(all_ + last_),
                 "r"(u32(from)), "r"(u32(from >> 32)), "r"(cycles), "r"(event), "r"(last_),
                 "r"(first() + kept)
                 : "memory");
  }

  /// The warp has done all that it does.
  __device__ __forceinline__ void finish() {
    if (last_ == nobody)
      return;
    Stamp &whole = all_[first()];
    whole.cycles = u32(clockOfSm() - whole.begin);
    whole.event = last_ - first();
  }

private:
  static constexpr u32 nobody = ~0u;
  __device__ __forceinline__ u32 first() const { return threadIdx.x / 32 * (1 + kept); }

  Stamp *all_;
  u32 last_ = nobody, begin_ = 0; // last_: the record written last
};

} // namespace sluice

using namespace sluice;

extern "C" __global__ void __launch_bounds__(352, 1)
dealt(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap,
    const __grid_constant__ TensorMap CMap, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using Acc_sharedTile = SharedTile<float, 64, 128, 1, 128>;
  const Buffer<Acc_sharedTile, 32768> acc_shared{smem + 0};
  using ATile = SharedTile<f16, 64, 64, 1, 128>;
  const Buffer<ATile, 8192> a{smem + 32768};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 65536};
  using C_stagingTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<C_stagingTile, 16384> c_staging{smem + 131072};
  const Mbarriers full_acc_shared{smem + 147456};
  const Mbarriers full_a{smem + 147464};
  const Mbarriers empty_a{smem + 147496};
  const Mbarriers full_b{smem + 147528};
  const Mbarriers empty_b{smem + 147560};
  const Mbarriers full_c_staging{smem + 147592};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(CMap);
  }
  const int steps = ceilDiv(K, 64);  // dealt.mlir:18
  const int i = blockIdx.x;  // dealt.mlir:19
  const int j = blockIdx.y;
  const int row = i * 64;  // dealt.mlir:20
  const int col = j * 128;  // dealt.mlir:21
  const int kSteps = max(steps, 1);  // dealt.mlir:24
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(full_acc_shared[0], 4);  // dealt.mlir:5
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full_a[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty_a[i1], 4);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full_b[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty_b[i1], 4);
    mbarrierInit(full_c_staging[0], 4);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 352);
  launchDependents();
  if (ctaWarp < 4) { // epilogue
    const int warp = ctaWarp;
    Fragment<f16, 128> c;
    Fragment<float, 128> acc_shared_held;
    mbarrierWait(full_acc_shared[0], 0);  // dealt.mlir:22
    loadFragmentShared<Acc_sharedTile, 4>(acc_shared_held, acc_shared[0], 0, 0, warp);
    assign(c, acc_shared_held);  // dealt.mlir:33
    storeFragmentMatrices<C_stagingTile, 4>(c_staging[0], 0, 0, c, warp);  // dealt.mlir:38
    fenceProxyAsync();
    warpSync();
    if (electLane())
      mbarrierArrive(full_c_staging[0]);
  } else if (ctaWarp >= 4 && ctaWarp < 8) { // multiply
    const int warp = ctaWarp - 4;
    Fragment<float, 128> acc;
    Cursor<4> at_a;  // dealt.mlir:24
    Cursor<4> before_a;
    Cursor<4> at_b;
    Cursor<4> before_b;
    for (int k = 0; k < kSteps; ++k) {
      mbarrierWait(full_a[at_a.slot], at_a.phase);  // dealt.mlir:26
      mbarrierWait(full_b[at_b.slot], at_b.phase);  // dealt.mlir:27
      wgmmaFence(acc);  // dealt.mlir:30
      wgmma<64, 1>(acc, kMajor(a, at_a.slot), mnMajor(b, at_b.slot), k != 0, warp / 4);
      wgmmaCommit();
      wgmmaWait<1>(acc);
      const bool n = k > 0;
      if (n && electLane())
        mbarrierArrive(empty_b[before_b.slot]);
      if (n && electLane())
        mbarrierArrive(empty_a[before_a.slot]);
      before_a = at_a;  // dealt.mlir:27
      at_a = at_a.advance();
      before_b = at_b;
      at_b = at_b.advance();
    }
    wgmmaWait<0>(acc);  // dealt.mlir:24
    if (electLane()) {
      mbarrierArrive(empty_b[before_b.slot]);
      mbarrierArrive(empty_a[before_a.slot]);
    }
    storeFragmentShared<Acc_sharedTile, 4>(acc_shared[0], 0, 0, acc, warp);  // dealt.mlir:33
    warpSync();  // dealt.mlir:22
    if (electLane())
      mbarrierArrive(full_acc_shared[0]);
  } else if (ctaWarp == 8) { // load_a
    waitForPreviousKernel();  // dealt.mlir:24
    Cursor<4> at_a;
    for (int k = 0; k < kSteps; ++k) {
      const int k1 = k * 64;  // dealt.mlir:25
      mbarrierWait(empty_a[at_a.slot], at_a.phase ^ 1);  // dealt.mlir:26
      if (electLane()) {
        mbarrierArriveExpectTx(full_a[at_a.slot], 8192);
        tmaLoad<1, 64, 8192>(a[at_a.slot], AMap, full_a[at_a.slot], k1, row);  // dealt.mlir:28
      }
      at_a = at_a.advance();  // dealt.mlir:27
    }
  } else if (ctaWarp == 9) { // load_b
    waitForPreviousKernel();  // dealt.mlir:24
    Cursor<4> at_b;
    for (int k = 0; k < kSteps; ++k) {
      const int k1 = k * 64;  // dealt.mlir:25
      mbarrierWait(empty_b[at_b.slot], at_b.phase ^ 1);  // dealt.mlir:27
      if (electLane()) {
        mbarrierArriveExpectTx(full_b[at_b.slot], 16384);
        tmaLoad<2, 64, 8192>(b[at_b.slot], BMap, full_b[at_b.slot], col, k1);  // dealt.mlir:29
      }
      at_b = at_b.advance();  // dealt.mlir:27
    }
  } else if (ctaWarp == 10) { // out
    mbarrierWait(full_c_staging[0], 0);  // dealt.mlir:38
    waitForPreviousKernel();
    if (electLane()) {
      tmaStore<2, 64, 8192>(CMap, c_staging[0], col, row);
      bulkCommit();
      bulkWaitRead<0>();
    }
    warpSync();
  }
}
