#!/usr/bin/env python3
"""Checks every program of test/corpus with `sluice check`, two at a time, and prints the time.
The tests say which rule refuses which; here it is proven or not, as the first line says."""

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "test" / "corpus"


def check(sluice: Path, program: Path) -> tuple[float, int]:
    """Seconds and exit code."""
    start = time.monotonic()
    done = subprocess.run([sluice, "check", program], capture_output=True, check=False)
    return time.monotonic() - start, done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", type=Path, help="the folder of the program sluice")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60, help="seconds, for all together")
    arguments = parser.parse_args()
    programs = sorted(CORPUS.glob("*/*.mlir"))
    start = time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda p: check(arguments.bin / "sluice", p), programs))
    seconds = time.monotonic() - start

    wrong = 0
    for program, (_, code) in zip(programs, results):
        refused = "RUN: not" in program.read_text().split("\n", 1)[0]
        if (code in (1, 2, 3)) != refused or code > 3 or code < 0:
            print(f"{program.relative_to(CORPUS)}: exit code {code}")
            wrong += 1
    slowest = sorted(zip(results, programs), reverse=True)[:3]
    print(f"{len(programs)} programs, {seconds:.1f} s with {arguments.jobs} at a time; "
          "the slowest: "
          + ", ".join(f"{p.relative_to(CORPUS)} {t:.2f} s" for (t, _), p in slowest))
    return 1 if wrong or seconds > arguments.limit or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
