#!/usr/bin/env python3
"""Prints sluice/wgmma_shapes.cuh: wgmma.mma_async for every N, multiple of 8, up to 256."""

HEADER = """\
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
"""

def cont(line):
    return line.ljust(99) + "\\" if len(line) < 99 else line + "\\"


def macro(name, params, body):
    lines = ["#define %s(%s)" % (name, params)] + body
    return "\n".join(cont(l) for l in lines[:-1]) + "\n" + lines[-1] + "\n"


def asm(operands, inputs):
    return [
        "  asm volatile(\"{\\n\"",
        "               \".reg .pred p;\\n\"",
        "               \"setp.ne.b32 p, %\" #P \", 0;\\n\"",
        "               \"wgmma.mma_async.sync.aligned.m64n\" #N \"k16.f32.\" TYPE"
        " \".\" TYPE \" {\"",
        "               SLUICE_D##N \"}, \"",
        "               \"" + operands + ";\\n\"",
        "               \"}\"",
        "               : SLUICE_V##N",
        *("               " + (": " if i == 0 else "  ") + x for i, x in enumerate(inputs)),
        "               : \"memory\")",
    ]


def main():
    out = [HEADER]
    for n in range(8, 257, 8):
        r = n // 2
        numbers = ", ".join("%%%d" % i for i in range(r - 4, r))
        values = ", ".join('"+f"(d[%d])' % i for i in range(r - 4, r))
        before = "" if n == 8 else "SLUICE_D%d \", \" " % (n - 8)
        out.append('#define SLUICE_D%d %s"%s"' % (n, before, numbers))
        before = "" if n == 8 else "SLUICE_V%d, " % (n - 8)
        out.append("#define SLUICE_V%d %s%s" % (n, before, values))
    out.append("")
    out.append(macro("SLUICE_WGMMA_SS", "N, TYPE, A, B, P, TA, TB",
                     asm('%" #A ", %" #B ", p, 1, 1, %" #TA ", %" #TB "',
                         ['"l"(a), "l"(b), "r"(accumulate), "n"(transposeA), "n"(transposeB)'])))
    out.append(macro("SLUICE_WGMMA_RS", "N, TYPE, A0, A1, A2, A3, B, P, TB",
                     asm('{%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #B ", p, 1, 1, %" #TB "',
                         ['"r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),',
                          '"r"(accumulate), "n"(transposeB)'])))
    out.append("// R0 .. R6: numbers of the operands after the N/2 registers of d.")
    body = ["  template <> struct WgmmaShape<N> {"]
    for kind, params, types in (
            ("ss", "u64 a", "R0, R1, R2, R3, R4"),
            ("rs", "const u32 *a", "R0, R1, R2, R3, R4, R5, R6")):
        template = "int transposeA, int transposeB" if kind == "ss" else "int transposeB"
        body += [
            "    template <class T, %s>" % template,
            "    static __device__ __forceinline__ void %s(float *d, %s, u64 b," % (kind, params),
            "                                              int accumulate) {",
            "      if constexpr (isBf16<T>)",
            "        SLUICE_WGMMA_%s(N, \"bf16\", %s);" % (kind.upper(), types),
            "      else",
            "        SLUICE_WGMMA_%s(N, \"f16\", %s);" % (kind.upper(), types),
            "    }",
        ]
    body.append("  }")
    out.append(macro("SLUICE_WGMMA_SHAPE", "N, R0, R1, R2, R3, R4, R5, R6", body))
    for n in range(8, 257, 8):
        numbers = ", ".join(str(n // 2 + i) for i in range(7))
        out.append("SLUICE_WGMMA_SHAPE(%d, %s);" % (n, numbers))
    out.append("")
    for n in range(8, 257, 8):
        out.append("#undef SLUICE_D%d" % n)
        out.append("#undef SLUICE_V%d" % n)
    out += ["#undef SLUICE_WGMMA_SS", "#undef SLUICE_WGMMA_RS", "#undef SLUICE_WGMMA_SHAPE", "",
            "} // namespace sluice"]
    print("\n".join(out))


if __name__ == "__main__":
    main()
