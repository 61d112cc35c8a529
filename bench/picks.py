#!/usr/bin/env python3
"""Every configuration that the planner puts first for shapes drawn at random, against float64.

    bench/picks.py build-release/bin              on a machine with a Hopper GPU
    bench/picks.py build-release/bin --check      the proof alone, on any machine

Thousands of shapes are drawn (M, N, K, types, layouts, batches, all that may stand beside the
product) and planned. Of each setting that is not yet among them the kernel is run once, at the
shape that it was picked for, cut down so that the float64 reference takes about a second and the
grid still has more tiles than the machine has SMs where the setting is persistent. Exit code 1: a
row failed.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SIXTEEN_BITS = ("f16", "bf16")
TILES = 300         # more than two for each of 132 SMs
OPERATIONS = 3e10   # of one core, in double precision


def size(draw: random.Random, low: int, high: int) -> int:
    """Logarithmically uniform, rounded up to a multiple that shapes often have, or to none."""
    step = draw.choice([1, 8, 16, 64, 128, 256])
    value = int(math.exp(draw.uniform(math.log(low), math.log(high))))
    return -(-value // step) * step


def shape(draw: random.Random) -> dict:
    dtype = draw.choice(["f16", "bf16", "tf32", "e4m3", "e5m2", "s8"])
    wide = dtype in SIXTEEN_BITS
    found = {"M": size(draw, 1, 20000), "N": size(draw, 8, 30000), "K": size(draw, 16, 16384),
             "dtype": dtype, "a": draw.choice(["row", "row", "col"]) if wide else "row",
             "b": draw.choice(["row", "col"]) if wide else "col"}
    if dtype in ("e4m3", "e5m2"):
        found["out"] = draw.choice(["f16", "f32"])
    if dtype == "s8":  # sums with factors are more than f16 holds
        found["out"] = "f32"
    if draw.random() < 0.5:
        found["epilogue"] = draw.choice(["bias", "relu", "bias_relu", "bias_gelu_tanh"])
    if draw.random() < 0.2:
        found["residual"] = "yes"
    if draw.random() < 0.2:
        found["scales"] = draw.choice(["row", "col", "both"])
    if draw.random() < 0.1 and max(found["M"], found["N"]) < 4000:
        found["batch"] = draw.randint(2, 9)
    return found


def words(settings: dict) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]


def sluice(options, verb: str, settings: dict, *more: str):
    return subprocess.run([options.sluice, verb, "gemm", "--target", "sm_90a", "--json", *more,
                           "--set", *words(settings)], capture_output=True, text=True, timeout=300)


def picks(options, wanted: dict) -> list[dict]:
    """Tile, stages, roles: of the fastest launch, of two launches both, and of one kernel alone."""
    done = sluice(options, "plan", wanted)
    if done.returncode:
        sys.exit(f"error: plan {' '.join(words(wanted))}: {done.stderr.strip()}")
    listed = [c["settings"] for c in json.loads(done.stdout)["candidates"]]
    alone = next(s for s in listed if "+" not in s)
    return [{k: v for k, v in (word.split("=") for word in part.split()) if k != "N"}
            for part in [*listed[0].split(" + "), alone]]


def cut(wanted: dict, pick: dict) -> dict:
    """The same remainders, fewer steps and tiles."""
    found, bm, bn = dict(wanted), int(pick["bm"]), int(pick["bn"])
    rows, columns = (math.ceil(wanted[x] / y) for x, y in (("M", bm), ("N", bn)))
    cluster = [int(x) for x in pick.get("cluster", "1x1").split("x")]
    rows = min(rows, max(2 * cluster[0], math.ceil(TILES / min(columns, 20))))
    columns = min(columns, max(2 * cluster[1], math.ceil(TILES / rows)))
    found["M"] = min(wanted["M"], (rows - 1) * bm + (wanted["M"] - 1) % bm + 1)
    found["N"] = min(wanted["N"], (columns - 1) * bn + (wanted["N"] - 1) % bn + 1)
    deepest = OPERATIONS / (2 * found["M"] * found["N"] * found.get("batch", 1))
    if found["K"] > deepest:
        found["K"] = max(16, int(deepest) // 128 * 128 + wanted["K"] % 128)
    return found


def row(options, wanted: dict, pick: dict) -> tuple[str, str]:
    settings = {**cut(wanted, pick), **pick}
    how = ["check"] if options.check else ["run", "--device", "cuda", "--random", "7"]
    try:
        done = sluice(options, how[0], settings, *how[1:])
    except subprocess.TimeoutExpired:
        return " ".join(words(settings)), "no answer within 300 s"
    error = "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    if error and not done.stderr:
        error += " ".join(done.stdout.split())[:300]
    return " ".join(words(settings)), error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="the folder with sluice")
    parser.add_argument("--draws", type=int, default=6000, help="shapes (default: 6000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="the proof alone")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) * 3 // 4))
    options = parser.parse_args()
    options.sluice = str(options.programs / "sluice")
    if not Path(options.sluice).is_file():
        parser.error(f"no program {options.sluice}")
    draw, distinct = random.Random(options.seed), {}
    with ThreadPoolExecutor(options.jobs) as pool:
        shapes = [shape(draw) for _ in range(options.draws)]
        for wanted, found in zip(shapes, pool.map(lambda s: picks(options, s), shapes)):
            for pick in found:
                distinct.setdefault(" ".join(words(pick)), (wanted, pick))
        print(f"{options.draws} shapes (seed {options.seed}), {len(distinct)} settings", flush=True)
        failed = 0
        for text, error in pool.map(lambda w: row(options, *w), distinct.values()):
            failed += bool(error)
            print(f"{text}  {error or 'ok'}", flush=True)
    print(f"{len(distinct)} rows, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
