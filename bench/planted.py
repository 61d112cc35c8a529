#!/usr/bin/env python3
"""Defects planted in kernels that Sluice has generated: what `sluice check` says of each, and what
a GPU and compute-sanitizer show.

    bench/planted.py build-release/bin            on a machine with a Hopper GPU
    bench/planted.py build/bin --check-only       the verdicts alone: needs no GPU

Each defect is an edit of the barrier level of a kernel, and has a twin in test/corpus: a program
as a person would write it, with the thread or the source of the defect. On the GPU the broken
kernel runs ten times, with bounded waits, against the result of the kernel as generated. Prints a
row as it comes and a table in Markdown last. Exit code 1: `check` named another rule than expected.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

GEMM = "M=512 N=512 K=512 bm=64 bn=64 bk=64 stages=2"
CLUSTER = f"{GEMM} mode=persistent cluster=2x1"
RUNS = 10
SECONDS = 25  # of one run; more than the two seconds after which a bounded wait gives up


@dataclass
class Defect:
    name: str
    twin: str  # in test/corpus
    rule: str
    kernel: str
    old: str  # a regular expression; its first match is replaced
    new: str


DEFECTS = [
    Defect("a slot is released while a product still reads it",
           "reuse/release_before_wgmma_wait", "R22", GEMM,
           r"sluice\.wgmma\.wait 1", "sluice.wgmma.wait 2"),
    Defect("no proxy fence between the staged tile and its TMA store",
           "roles/staged_store-no_fence", "R23", GEMM,
           r"\n *sluice\.fence proxy_async", ""),
    Defect("no barrier between the warps' stores and the TMA store",
           "roles/staged_store-no_barrier", "R22", GEMM,
           r"\n *sluice\.bar\.sync 1, 128", ""),
    Defect("the bytes of one operand are announced, those of two come",
           "pipeline/tma_ring-bytes_of_a", "R6", GEMM, "bytes 16384", "bytes 8192"),
    Defect("the producer begins with the consumer's phase",
           "pipeline/tma_ring-producer_phase", "R9", GEMM,
           r"(sluice\.mbarrier\.wait %empty\[%slot\], )%\d+", r"\1%phase"),
    Defect("one warp's release counts for all four",
           "pipeline/tma_ring-empty_one_group", "R4", GEMM, "%empty count 4", "%empty count 1"),
    Defect("no barrier after the initialisation of the mbarriers",
           "pipeline/tma_ring-no_init_sync", "R1", GEMM, r"\n *sluice\.bar\.sync 0, 160", ""),
    Defect("slots are released to the own CTA alone, the peer multicasts into them",
           "pipeline/multicast-release_own_only", "R9", CLUSTER,
           r"\n *sluice\.mbarrier\.arrive %empty\[%slot_\d\] rank %\d+ by warp : <2>", ""),
    Defect("a CTA exits while its peer still arrives at its barriers",
           "pipeline/multicast-no_tail", "R10", CLUSTER,
           r"(= scf\.for %arg0 = %c0 to )%c2( step)", r"\1%c0\2"),
]


def call(command: list[str], seconds: float = SECONDS):
    """(exit code, output); a code of None where the time was up."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")


class Bench:
    def __init__(self, programs: Path, folder: Path):
        self.sluice, self.folder = str(programs / "sluice"), folder

    def generated(self, kernel: str) -> str:
        """The barrier level, after the last pass."""
        done = subprocess.run([self.sluice, "check", "gemm", "--target", "sm_90a", "--set",
                               *kernel.split(), "--dump-after-each"],
                              capture_output=True, text=True, check=True)
        return done.stderr[done.stderr.rindex("// ---- after"):].split("\n", 1)[1]

    def plant(self, number: int, defect: Defect):
        clean, broken = self.folder / f"{number}.ok.mlir", self.folder / f"{number}.bad.mlir"
        text = self.generated(defect.kernel)
        changed, times = re.subn(defect.old, defect.new, text, count=1)
        if times == 0 or changed == text:
            sys.exit(f"error: {defect.name}: nothing in the kernel matches '{defect.old}'")
        clean.write_text(text)
        broken.write_text(changed)
        return clean, broken

    def verdict(self, broken: Path) -> str:
        code, text = call([self.sluice, "check", str(broken)])
        rule = re.search(r"\b(R\d+)\b", text)
        return rule[1] if code == 1 and rule else f"exit {code}"

    def run(self, *arguments: str) -> list[str]:
        return [self.sluice, "run", *arguments, "--unproven", "--device", "cuda", "--random", "7"]

    def on_device(self, clean: Path, broken: Path) -> str:
        good = self.folder / "good.npy"
        code, text = call(self.run(str(clean), "--out", f"C={good}"))
        if code != 0 and not good.exists():
            sys.exit(f"error: the kernel as generated does not run: {text}")
        seen = {"right": 0, "wrong": 0, "hangs": 0, "fails": 0}
        for _ in range(RUNS):
            code, text = call(self.run(str(broken), "--watchdog", "--expect", f"C={good}"))
            hangs = code is None or " hangs: " in text
            seen["hangs" if hangs else "right" if code == 0 else
                 "wrong" if "(above " in text else "fails"] += 1
            if hangs:
                break
        return ", ".join(f"{what} {n}" for what, n in seen.items() if n)

    def sanitizer(self, tool: str, broken: Path) -> str:
        code, text = call(["compute-sanitizer", "--tool", tool, *self.run(str(broken))])
        summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", text)
        errors = re.findall(r"=+ (?:Error|Warning|Barrier error)[^\n]*", text)
        if code is None:
            return f"hangs; {len(errors)} reports" if errors else "hangs, says nothing"
        return summary[1] if summary else f"exit {code}, no summary"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="the folder with sluice")
    parser.add_argument("--check-only", action="store_true")
    options = parser.parse_args()
    if not (options.programs / "sluice").exists():
        sys.exit(f"error: there is no sluice in {options.programs}")
    if not options.check_only and not shutil.which("compute-sanitizer"):
        sys.exit("error: compute-sanitizer is not on the PATH; --check-only does without")
    head = ["planted", "twin in test/corpus", "check"]
    if not options.check_only:
        head += [f"{RUNS} runs", "racecheck", "synccheck"]
    rows, odd = [], 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.programs, Path(folder))
        for number, defect in enumerate(DEFECTS):
            clean, broken = bench.plant(number, defect)
            rule = bench.verdict(broken)
            odd += rule != defect.rule
            row = [defect.name, f"{defect.twin}.bad.mlir", rule]
            if not options.check_only:
                row += [bench.on_device(clean, broken), bench.sanitizer("racecheck", broken),
                        bench.sanitizer("synccheck", broken)]
            rows.append(row)
            print("; ".join(row), flush=True)
    lines = [head, ["---"] * len(head), *rows]
    print("\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines))
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
