#!/usr/bin/env python3
"""Predicted beside measured: the cycles of the virtual machine for twelve configurations of gemm,
six of them drawn at random, and what a GPU takes.

    bench/predict.py build-release/bin --measure m.json     on a machine with a Hopper GPU
    bench/predict.py build/bin --compare m.json             the table, in Markdown

Measured cycles are the median time of a launch in `sluice bench` times the clock that the SMs had
meanwhile (their own counters). Exit code 1: an error above the aim of 15 %.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

AIM = 0.15

CHOSEN = [
    "M=2048 N=2048 K=2048 stages=1",
    "M=4096 N=4096 K=2048 stages=4",
    "M=4096 N=4096 K=4096 mode=persistent bn=256 group=4",
    "M=4096 N=4096 K=4096 mode=persistent bn=256 cluster=2x1",
    "M=8192 N=64 K=4096 bn=64 stages=6",
    "M=64 N=8192 K=8192 bm=64 bn=64 stages=12",
]


def run(sluice: str, verb: str, settings: str, *more: str):
    return subprocess.run([sluice, verb, "gemm", "--target", "sm_90a", "--set", *settings.split(),
                           *more], capture_output=True, text=True)


def drawn(sluice: str, seed: int, count: int) -> list[str]:
    """Configurations that fit into an SM."""
    draw, found = random.Random(seed), []
    while len(found) < count:
        m, n, k = (draw.choice([1024, 2048, 3072, 4096]) for _ in range(3))
        bm, bn = draw.choice([(64, 64), (64, 128), (128, 64), (128, 128), (128, 192), (128, 256)])
        settings = (f"M={m} N={n} K={k} bm={bm} bn={bn} stages={draw.randint(1, 6)} "
                    f"b={draw.choice(['row', 'col'])} mode={draw.choice(['plain', 'persistent'])} "
                    f"cluster={draw.choice(['1x1', '2x1', '1x2'])}").replace(" mode=plain", "")
        if run(sluice, "barriers", settings).returncode == 0:
            found.append(settings)
    return found


def measure(sluice: str, configurations: list[str]) -> list[dict]:
    rows = []
    for settings in configurations:
        done = run(sluice, "bench", settings, "--json")
        if done.returncode != 0:
            sys.exit(f"error: {settings}: {done.stderr.strip()}")
        result = json.loads(done.stdout)
        rows.append({"settings": settings, "ms": result["ms"][1], "device": result["device"],
                     "mhz": result["mhz"][1]})
        print(json.dumps(rows[-1]), flush=True)
    return rows


def inversions(rows: list[dict]) -> list[str]:
    """Pairs that differ by more than the aim and are ranked the other way."""
    found = []
    for i, x in enumerate(rows):
        for y in rows[i + 1:]:
            low, high = sorted([x, y], key=lambda r: r["measured"])
            apart = high["measured"] > low["measured"] * (1 + AIM)
            if apart and high["predicted"] < low["predicted"]:
                found.append(f"{low['settings']} before {high['settings']}")
    return found


def compare(sluice: str, arch: str, rows: list[dict]) -> int:
    device = rows[0]["device"]
    for row in rows:
        for verb, more in (("bench", ["--device", "sim"]), ("trace", [])):
            done = run(sluice, verb, row["settings"], "--json", "--arch", arch, *more)
            if done.returncode != 0:
                sys.exit(f"error: {row['settings']}: {done.stderr.strip()}")
            row |= json.loads(done.stdout) | {"ms": row["ms"]}
            row.setdefault("predicted", row["cycles"])
        row["measured"] = row["ms"] * 1000 * row["mhz"]
        row["error"] = row["predicted"] / row["measured"] - 1
    print(f"{device}, model {arch}\n")
    print("| gemm | predicted cycles | measured cycles | error | MHz | critical |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row['settings']} | {row['predicted']:,.0f} | {row['measured']:,.0f} | "
              f"{100 * row['error']:+.1f} % | {row['mhz']:.0f} | {row['critical']} |")
    worst = max(abs(row["error"]) for row in rows)
    wrong = inversions(rows)
    print(f"\nWorst {100 * worst:.1f} %; pairs ranked the other way although more than "
          f"{100 * AIM:.0f} % apart: {len(wrong)}")
    for pair in wrong:
        print(f"  {pair}")
    return 1 if worst > AIM else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="the folder with sluice")
    parser.add_argument("--seed", type=int, default=2026, help="of the drawn configurations")
    parser.add_argument("--measure", type=Path, metavar="FILE")
    parser.add_argument("--compare", type=Path, metavar="FILE")
    parser.add_argument("--arch", default="h100", help="machine model to compare with")
    options = parser.parse_args()
    sluice = str(options.programs / "sluice")
    for path in filter(None, [Path(sluice), options.compare]):
        if not path.exists():
            sys.exit(f"error: there is no {path}")
    if options.measure:
        print(f"six drawn with seed {options.seed}", flush=True)
        rows = measure(sluice, CHOSEN + drawn(sluice, options.seed, 6))
        options.measure.write_text(json.dumps(rows, indent=1))
    if options.compare:
        return compare(sluice, options.arch, json.loads(options.compare.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
