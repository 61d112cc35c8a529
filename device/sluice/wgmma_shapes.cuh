// wgmma.mma_async for every N; K is 32 bytes of an operand. Sums in f32, those of s8 in s32 (N
// above 32 in 16, wrapping around). Made by wgmma_shapes.py. PTX ISA "Asynchronous Warpgroup Level
// Matrix Instructions: wgmma.mma_async".
#pragma once

#include <sluice/number.cuh>

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
