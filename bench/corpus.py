#!/usr/bin/env python3
"""Checks every program of test/corpus with `sluice check`, two at a time, and prints the time.
The tests say which rule refuses which; here it is proven or not, as the first line says."""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "test" / "corpus"


def programs(folder: Path) -> list[tuple[Path, Path]]:
    """Every file of the corpus with its program: itself, or what its edit makes, in `folder`."""
    found = [(file, file) for file in CORPUS.glob("*/*.mlir")]
    for edit in CORPUS.glob("*/*.diff"):
        sound = re.search(r"^--- (.*)", edit.read_text(), re.MULTILINE).group(1)
        made = folder / f"{edit.parent.name}-{edit.stem}.mlir"
        subprocess.run(["patch", "-s", "-F0", "-o", made, edit.parent / sound, edit], check=True)
        found.append((edit, made))
    return sorted(found)


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
    with tempfile.TemporaryDirectory() as folder:
        files, made = zip(*programs(Path(folder)))
        start = time.monotonic()
        with ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(lambda p: check(arguments.bin / "sluice", p), made))
        seconds = time.monotonic() - start

    wrong = 0
    for program, (_, code) in zip(files, results):
        run = re.search("RUN: (.*sluice check.*)", program.read_text())
        refused = run and run.group(1).startswith("not")
        if (code in (1, 2, 3)) != bool(refused) or code > 3 or code < 0:
            print(f"{program.relative_to(CORPUS)}: exit code {code}")
            wrong += 1
    slowest = sorted(zip(results, files), reverse=True)[:3]
    print(f"{len(files)} programs, {seconds:.1f} s with {arguments.jobs} at a time; "
          "the slowest: "
          + ", ".join(f"{p.relative_to(CORPUS)} {t:.2f} s" for (t, _), p in slowest))
    return 1 if wrong or seconds > arguments.limit or not files else 0


if __name__ == "__main__":
    sys.exit(main())
