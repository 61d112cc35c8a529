#!/usr/bin/env python3
"""Prints sluice/wgmma_shapes.cuh: wgmma.mma_async for every N, multiple of 8, up to 256."""

HEADER = """\
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
"""

# Operands that are always K-major: types of A and B, K, sums, constraint of d, signs of A and B.
K_MAJOR = (("tf32", "tf32", 8, "f32", "+f", ", 1, 1"),
           ("e4m3", "e4m3", 32, "f32", "+f", ", 1, 1"),
           ("e4m3", "e5m2", 32, "f32", "+f", ", 1, 1"),
           ("e5m2", "e4m3", 32, "f32", "+f", ", 1, 1"),
           ("e5m2", "e5m2", 32, "f32", "+f", ", 1, 1"),
           ("s8", "s8", 32, "s32", "+r", ""))


def cont(line):
    return line.ljust(99) + "\\" if len(line) < 99 else line + "\\"


def macro(name, params, body):
    lines = ["#define %s(%s)" % (name, params)] + body
    return "\n".join(cont(l) for l in lines[:-1]) + "\n" + lines[-1] + "\n"


def asm(operands, inputs, types='16.f32." TYPE "." TYPE "', constraint='"+f"'):
    return [
        "  asm volatile(\"{\\n\"",
        "               \".reg .pred p;\\n\"",
        "               \"setp.ne.b32 p, %\" #P \", 0;\\n\"",
        "               \"wgmma.mma_async.sync.aligned.m64n\" #N \"k" + types + " {\"",
        "               SLUICE_D##N \"}, \"",
        "               \"" + operands + ";\\n\"",
        "               \"}\"",
        "               : SLUICE_V##N(" + constraint + ")",
        *("               " + (": " if i == 0 else "  ") + x for i, x in enumerate(inputs)),
        "               : \"memory\")",
    ]


def main():
    out = [HEADER]
    for n in range(8, 257, 8):
        r = n // 2
        numbers = ", ".join("%%%d" % i for i in range(r - 4, r))
        values = ", ".join("C(d[%d])" % i for i in range(r - 4, r))
        before = "" if n == 8 else "SLUICE_D%d \", \" " % (n - 8)
        out.append('#define SLUICE_D%d %s"%s"' % (n, before, numbers))
        before = "" if n == 8 else "SLUICE_V%d(C), " % (n - 8)
        out.append("#define SLUICE_V%d(C) %s%s" % (n, before, values))
    out.append("")
    out.append(macro("SLUICE_WGMMA_SS", "N, TYPE, A, B, P, TA, TB",
                     asm('%" #A ", %" #B ", p, 1, 1, %" #TA ", %" #TB "',
                         ['"l"(a), "l"(b), "r"(accumulate), "n"(transposeA), "n"(transposeB)'])))
    out.append(macro("SLUICE_WGMMA_RS", "N, TYPE, A0, A1, A2, A3, B, P, TB",
                     asm('{%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #B ", p, 1, 1, %" #TB "',
                         ['"r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),',
                          '"r"(accumulate), "n"(transposeB)'])))
    out.append(macro("SLUICE_WGMMA_K", "N, K, TYPES, C, A, B, P, SIGNS",
                     asm('%" #A ", %" #B ", p" SIGNS "', ['"l"(a), "l"(b), "r"(accumulate)'],
                         '" #K "." TYPES "', "C")))
    out.append("// R0 .. R6: numbers of the operands after the N/2 registers of d.")
    body = ["  template <> struct WgmmaShape<N> {"]
    for kind, params, registers in (
            ("ss", "u64 a", "R0, R1, R2, R3, R4"),
            ("rs", "const u32 *a", "R0, R1, R2, R3, R4, R5, R6")):
        template = ("class T, class S, int transposeA, int transposeB, class D" if kind == "ss"
                    else "class T, int transposeB")
        number = "D" if kind == "ss" else "float"
        body += [
            "    template <%s>" % template,
            "    static __device__ __forceinline__ void %s(%s *d, %s, u64 b,"
            % (kind, number, params),
            "                                              int accumulate) {",
            "      if constexpr (isSame<T, bf16>)",
            "        SLUICE_WGMMA_%s(N, \"bf16\", %s);" % (kind.upper(), registers),
            "      else if constexpr (isSame<T, f16>)",
            "        SLUICE_WGMMA_%s(N, \"f16\", %s);" % (kind.upper(), registers),
        ]
        for a, b, k, sums, constraint, signs in K_MAJOR if kind == "ss" else ():
            body += [
                "      else if constexpr (isSame<T, %s> && isSame<S, %s>)" % (a, b),
                '        SLUICE_WGMMA_K(N, %d, "%s.%s.%s", "%s", R0, R1, R2, "%s");'
                % (k, sums, a, b, constraint, signs)]
        body.append("    }")
    body.append("  }")
    out.append(macro("SLUICE_WGMMA_SHAPE", "N, R0, R1, R2, R3, R4, R5, R6", body))
    for n in range(8, 257, 8):
        numbers = ", ".join(str(n // 2 + i) for i in range(7))
        out.append("SLUICE_WGMMA_SHAPE(%d, %s);" % (n, numbers))
    out.append("")
    for n in range(8, 257, 8):
        out.append("#undef SLUICE_D%d" % n)
        out.append("#undef SLUICE_V%d" % n)
    out += ["#undef SLUICE_WGMMA_SS", "#undef SLUICE_WGMMA_RS", "#undef SLUICE_WGMMA_K",
            "#undef SLUICE_WGMMA_SHAPE", "",
            "} // namespace sluice"]
    print("\n".join(out))


if __name__ == "__main__":
    main()
