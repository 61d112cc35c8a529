#!/usr/bin/env python3
"""gemm or grouped_gemm in turns with cuBLASLt, and what the machine model predicted.

    bench/versus.py gemm|epilogues|types|odd|grouped build-release/bin [--only "dtype=f16 b=row"]

Rows as they come: the ratio of speed (above 1: Sluice is faster), with quartiles, then times and
clocks. Last a short table of all rows: ours, cuBLASLt's, ratio, and the predicted time at the
clock that was measured. Exit code 1: a row failed, or a result differs from cuBLASLt's.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Of the largest value: roundings of bf16, and GELU by erf where cuBLASLt's is the one by tanh.
MOST_DIFFERENCE = 0.01

# The shapes of the anchors and one of few tiles, each with the settings that were fastest so far.
FASTEST = {
    "M=8192 N=8192 K=8192": "mode=persistent bn=256",
    "M=4096 N=4096 K=4096": "mode=persistent bn=256 steps=alternate",
    "M=2048 N=2048 K=2048": "bn=256 staging=2 c_cache=evict_first",
    "M=1024 N=1024 K=1024": "bm=64 bn=128 stages=8",
    "M=16384 N=16384 K=4096": "mode=persistent bn=256",
    "M=8192 N=8192 K=512": "mode=persistent bn=192 cluster=2x1 group=1 c_cache=evict_first",
    "M=64 N=8192 K=8192": "bm=64 bn=64 stages=12 b_cache=evict_first",
    "M=64 N=2048 K=8192": "bm=64 bn=64 stages=12 split=2",
    "M=4000 N=5000 K=3000": "mode=persistent bn=256 cluster=2x1 steps=alternate",
    "M=4096 N=11008 K=4096":
        "mode=persistent bn=256 steps=alternate + N=512 bn=128 stages=6 cluster=2x1",
}


def sixteen_bits(shape, settings):
    """Both types of 16 bits and both layouts of B."""
    return [f"{shape} dtype={t} b={b} {settings}" for t in ("f16", "bf16") for b in ("row", "col")]


def gemm():
    return [row for item in FASTEST.items() for row in sixteen_bits(*item)]


def cube(n):
    return f"M={n} N={n} K={n}"


def epilogues():
    large, rows = "mode=persistent bn=256", []
    for epilogue in ("none", "bias", "bias_relu", "bias_gelu", "bias_gelu_tanh"):
        for n, how in ((8192, large), (4096, large), (2048, "bn=256 staging=2")):
            rows += sixteen_bits(cube(n), f"{how} epilogue={epilogue}")
    for parts in ("residual=yes", "residual=yes beta=yes alpha=yes",
                  "residual=yes epilogue=bias_relu"):
        for n in (8192, 4096, 2048):
            rows += sixteen_bits(cube(n), f"{large} {parts}")
    for batch in (4, 64):
        rows += sixteen_bits(cube(2048), f"{large} batch={batch}")
        rows += sixteen_bits(cube(512), f"mode=persistent batch={batch}")
    return rows


def types():
    rows = []
    for n in (4096, 8192):
        for t in ("tf32", "e4m3", "e5m2", "s8"):
            rows.append(f"{cube(n)} dtype={t} b=col plan=yes")
            rows.append(f"{cube(n)} dtype={t} b=col mode=persistent bn=256 cluster=2x1")
        rows.append(f"{cube(n)} dtype=s8 b=col plan=yes out=f16")
        rows += [f"{cube(n)} dtype=e4m3 b=col plan=yes {more}"
                 for more in ("b_dtype=e5m2", "promote=1", "promote=4")]
    return rows


def odd():
    """Rows that TMA does not take: of A, of B, of C."""
    shapes = (cube(4095), "M=4096 N=50257 K=768", "M=4096 N=4096 K=4090", "M=4096 N=4096 K=4092",
              cube(2049), cube(1001), "M=64 N=4095 K=4095")
    return [row for shape in shapes for row in sixteen_bits(shape, "plan=yes")]


def grouped():
    """Few long groups, many short ones; cuBLASLt is called once for each."""
    rows = []
    for shape in ("rows=8192 N=4096 K=4096 groups=8", "rows=8192 N=4096 K=4096 groups=64",
                  "rows=4096 N=7168 K=2048 groups=32"):
        for lengths in ("even", "random"):
            rows.append(f"{shape} dtype=bf16 plan=yes lengths={lengths}")
    return rows + ["rows=8192 N=4096 K=4096 groups=8 dtype=e4m3 b=col plan=yes lengths=even"]


def bench(sluice, kernel, settings, *more):
    """What sluice bench says, or its error."""
    try:
        done = subprocess.run([sluice, "bench", kernel, "--target", "sm_90a", "--json", *more,
                               "--set", *settings.split()],
                              capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "no answer within 120 s"
    if done.returncode:
        return None, f"exit {done.returncode}: {done.stderr.strip()}"
    result = json.loads(done.stdout)
    if result.get("difference", 0) > MOST_DIFFERENCE:
        return None, f"differs from cuBLASLt's by {result['difference']:.2g} of the largest value"
    return result, ""


def state_text(state):
    return f", {state['watts']:.0f} of {state['limit_watts']:.0f} W" if state else ""


def row_text(settings, r):
    ours = f"{r['ms'][1]:.4f} ms {r['mhz'][1]:.0f} MHz{state_text(r.get('state'))}"
    if "ratio" not in r:
        return f"{settings:72} alone  {ours}  {r['tflops']:.0f} T/s"
    low, ratio, high = r["ratio"]
    return (f"{settings:72} {ratio:.3f} ({low:.3f} to {high:.3f})  {ours}; theirs "
            f"{r['vendor_ms'][1]:.4f} ms {r['vendor_mhz'][1]:.0f} MHz"
            f"{state_text(r.get('vendor_state'))}; differs by {r['difference']:.1g}")


def measure(sluice, kernel, rows):
    """All rows, printed as they come; and how many failed."""
    found, failed = [], 0
    for settings in rows:
        result, error = bench(sluice, kernel, settings)
        print(row_text(settings, result) if result else f"{settings:72} FAIL {error}", flush=True)
        if result:
            found.append((settings, result))
        failed += not result
    return found, failed


def predict(sluice, kernel, found):
    """Cycles that the machine model expects, for each row."""
    def one(item):
        settings, result = item
        model = "h200" if "H200" in result["device"] else "h100"
        prediction, _ = bench(sluice, kernel, settings, "--device", "sim", "--arch", model)
        return prediction["cycles"] if prediction else None

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(one, found))


def table(found, predictions):
    """Predicted times are those of the cycles at the clock that was measured."""
    lines = [f"{'':72} {'ours ms':>8} {'cuBLASLt':>9} {'ratio':>6} {'predicted':>9} error"]
    for (settings, r), cycles in zip(found, predictions):
        theirs = f"{r['vendor_ms'][1]:9.4f} {r['ratio'][1]:6.3f}" if "ratio" in r else " " * 16
        line = f"{settings:72} {r['ms'][1]:8.4f} {theirs}"
        if cycles:
            ms = cycles / r["mhz"][1] / 1e3
            line += f" {ms:9.4f} {100 * (ms / r['ms'][1] - 1):+4.0f} %"
        lines.append(line)
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {"gemm": gemm, "epilogues": epilogues, "types": types, "odd": odd, "grouped": grouped}
    parser.add_argument("part", choices=parts)
    parser.add_argument("programs", type=Path, help="the folder with sluice")
    parser.add_argument("--only", default="", help="the rows that contain this text")
    options = parser.parse_args()
    sluice = str(options.programs / "sluice")
    kernel = "grouped_gemm" if options.part == "grouped" else "gemm"
    rows = [row for row in parts[options.part]() if options.only in row]
    found, failed = measure(sluice, kernel, rows)
    print()
    if found:
        print(table(found, predict(sluice, kernel, found)))
        print(f"{found[0][1]['device']}, {found[0][1].get('vendor', 'no cuBLASLt')}")
    print(f"{len(found) + failed} rows, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
