// wgmma.mma_async m64nNk16, f32 += f16 f16 or bf16 bf16, for every N. Made by wgmma_shapes.py.
// PTX ISA "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async".
#pragma once

#include <sluice/number.cuh>

namespace sluice {

/// ss: A and B by descriptor; rs: A in four registers. `d` += when `accumulate` is not 0.
/// transposeA, transposeB: 1 where the operand is not K-major.
template <int N> struct WgmmaShape;

template <class T> constexpr bool isBf16 = false;
template <> constexpr bool isBf16<bf16> = true;

#define SLUICE_D8 "%0, %1, %2, %3"
#define SLUICE_V8 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define SLUICE_D16                                                                                 \
  SLUICE_D8 ", "                                                                                   \
            "%4, %5, %6, %7"
#define SLUICE_V16 SLUICE_V8, "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define SLUICE_D24                                                                                 \
  SLUICE_D16 ", "                                                                                  \
             "%8, %9, %10, %11"
#define SLUICE_V24 SLUICE_V16, "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11])
#define SLUICE_D32                                                                                 \
  SLUICE_D24 ", "                                                                                  \
             "%12, %13, %14, %15"
#define SLUICE_V32 SLUICE_V24, "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
#define SLUICE_D40                                                                                 \
  SLUICE_D32 ", "                                                                                  \
             "%16, %17, %18, %19"
#define SLUICE_V40 SLUICE_V32, "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19])
#define SLUICE_D48                                                                                 \
  SLUICE_D40 ", "                                                                                  \
             "%20, %21, %22, %23"
#define SLUICE_V48 SLUICE_V40, "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23])
#define SLUICE_D56                                                                                 \
  SLUICE_D48 ", "                                                                                  \
             "%24, %25, %26, %27"
#define SLUICE_V56 SLUICE_V48, "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27])
#define SLUICE_D64                                                                                 \
  SLUICE_D56 ", "                                                                                  \
             "%28, %29, %30, %31"
#define SLUICE_V64 SLUICE_V56, "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define SLUICE_D72                                                                                 \
  SLUICE_D64 ", "                                                                                  \
             "%32, %33, %34, %35"
#define SLUICE_V72 SLUICE_V64, "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35])
#define SLUICE_D80                                                                                 \
  SLUICE_D72 ", "                                                                                  \
             "%36, %37, %38, %39"
#define SLUICE_V80 SLUICE_V72, "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39])
#define SLUICE_D88                                                                                 \
  SLUICE_D80 ", "                                                                                  \
             "%40, %41, %42, %43"
#define SLUICE_V88 SLUICE_V80, "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43])
#define SLUICE_D96                                                                                 \
  SLUICE_D88 ", "                                                                                  \
             "%44, %45, %46, %47"
#define SLUICE_V96 SLUICE_V88, "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47])
#define SLUICE_D104                                                                                \
  SLUICE_D96 ", "                                                                                  \
             "%48, %49, %50, %51"
#define SLUICE_V104 SLUICE_V96, "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51])
#define SLUICE_D112                                                                                \
  SLUICE_D104 ", "                                                                                 \
              "%52, %53, %54, %55"
#define SLUICE_V112 SLUICE_V104, "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55])
#define SLUICE_D120                                                                                \
  SLUICE_D112 ", "                                                                                 \
              "%56, %57, %58, %59"
#define SLUICE_V120 SLUICE_V112, "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59])
#define SLUICE_D128                                                                                \
  SLUICE_D120 ", "                                                                                 \
              "%60, %61, %62, %63"
#define SLUICE_V128 SLUICE_V120, "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
#define SLUICE_D136                                                                                \
  SLUICE_D128 ", "                                                                                 \
              "%64, %65, %66, %67"
#define SLUICE_V136 SLUICE_V128, "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67])
#define SLUICE_D144                                                                                \
  SLUICE_D136 ", "                                                                                 \
              "%68, %69, %70, %71"
#define SLUICE_V144 SLUICE_V136, "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71])
#define SLUICE_D152                                                                                \
  SLUICE_D144 ", "                                                                                 \
              "%72, %73, %74, %75"
#define SLUICE_V152 SLUICE_V144, "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75])
#define SLUICE_D160                                                                                \
  SLUICE_D152 ", "                                                                                 \
              "%76, %77, %78, %79"
#define SLUICE_V160 SLUICE_V152, "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79])
#define SLUICE_D168                                                                                \
  SLUICE_D160 ", "                                                                                 \
              "%80, %81, %82, %83"
#define SLUICE_V168 SLUICE_V160, "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83])
#define SLUICE_D176                                                                                \
  SLUICE_D168 ", "                                                                                 \
              "%84, %85, %86, %87"
#define SLUICE_V176 SLUICE_V168, "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87])
#define SLUICE_D184                                                                                \
  SLUICE_D176 ", "                                                                                 \
              "%88, %89, %90, %91"
#define SLUICE_V184 SLUICE_V176, "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91])
#define SLUICE_D192                                                                                \
  SLUICE_D184 ", "                                                                                 \
              "%92, %93, %94, %95"
#define SLUICE_V192 SLUICE_V184, "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
#define SLUICE_D200                                                                                \
  SLUICE_D192 ", "                                                                                 \
              "%96, %97, %98, %99"
#define SLUICE_V200 SLUICE_V192, "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99])
#define SLUICE_D208                                                                                \
  SLUICE_D200 ", "                                                                                 \
              "%100, %101, %102, %103"
#define SLUICE_V208 SLUICE_V200, "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103])
#define SLUICE_D216                                                                                \
  SLUICE_D208 ", "                                                                                 \
              "%104, %105, %106, %107"
#define SLUICE_V216 SLUICE_V208, "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107])
#define SLUICE_D224                                                                                \
  SLUICE_D216 ", "                                                                                 \
              "%108, %109, %110, %111"
#define SLUICE_V224 SLUICE_V216, "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111])
#define SLUICE_D232                                                                                \
  SLUICE_D224 ", "                                                                                 \
              "%112, %113, %114, %115"
#define SLUICE_V232 SLUICE_V224, "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115])
#define SLUICE_D240                                                                                \
  SLUICE_D232 ", "                                                                                 \
              "%116, %117, %118, %119"
#define SLUICE_V240 SLUICE_V232, "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119])
#define SLUICE_D248                                                                                \
  SLUICE_D240 ", "                                                                                 \
              "%120, %121, %122, %123"
#define SLUICE_V248 SLUICE_V240, "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123])
#define SLUICE_D256                                                                                \
  SLUICE_D248 ", "                                                                                 \
              "%124, %125, %126, %127"
#define SLUICE_V256 SLUICE_V248, "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])

#define SLUICE_WGMMA_SS(N, TYPE, A, B, P, TA, TB)                                                  \
  asm volatile("{\n"                                                                               \
               ".reg .pred p;\n"                                                                   \
               "setp.ne.b32 p, %" #P ", 0;\n"                                                      \
               "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" SLUICE_D##N    \
               "}, "                                                                               \
               "%" #A ", %" #B ", p, 1, 1, %" #TA ", %" #TB ";\n"                                  \
               "}"                                                                                 \
               : SLUICE_V##N                                                                       \
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
               : SLUICE_V##N                                                                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate),              \
                 "n"(transposeB)                                                                   \
               : "memory")

// R0 .. R6: numbers of the operands after the N/2 registers of d.
#define SLUICE_WGMMA_SHAPE(N, R0, R1, R2, R3, R4, R5, R6)                                          \
  template <> struct WgmmaShape<N> {                                                               \
    template <class T, int transposeA, int transposeB>                                             \
    static __device__ __forceinline__ void ss(float *d, u64 a, u64 b, int accumulate) {            \
      if constexpr (isBf16<T>)                                                                     \
        SLUICE_WGMMA_SS(N, "bf16", R0, R1, R2, R3, R4);                                            \
      else                                                                                         \
        SLUICE_WGMMA_SS(N, "f16", R0, R1, R2, R3, R4);                                             \
    }                                                                                              \
    template <class T, int transposeB>                                                             \
    static __device__ __forceinline__ void rs(float *d, const u32 *a, u64 b, int accumulate) {     \
      if constexpr (isBf16<T>)                                                                     \
        SLUICE_WGMMA_RS(N, "bf16", R0, R1, R2, R3, R4, R5, R6);                                    \
      else                                                                                         \
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
#undef SLUICE_WGMMA_SHAPE

} // namespace sluice
