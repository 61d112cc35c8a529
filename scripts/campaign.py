#!/usr/bin/env python3
"""The mutation campaign: breaks every clean program of the repository and asks what notices.

    scripts/campaign.py build                        about ten minutes on two cores
    scripts/campaign.py build --sample 20 --states 1000000 --chaos-runs 1000 --minutes 600
    scripts/campaign.py build --only corpus/flags    programs whose name contains this
    scripts/campaign.py build --tally a.json b.json  one table of what several runs wrote (--json)

Clean programs are the .ok.mlir files of test/corpus, the programs of CUTLASS's pipeline tests
(test/corpus/pipeline/generate.py), and the catalogue's kernels in many configurations on both
targets. Of each a sample of its mutants is drawn (the seed is printed) and given to `sluice
mutate`. Prints a table in Markdown. Exit code 1: a mutant was proven that can fail, or a program
that should be clean is not.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "test" / "corpus"

# As in test/corpus/pipeline/cutlass.test and persistent.test.
CUTLASS = {
    "pipeline_async": "1x1:2,5,10 2x2:2,5 1x2:2,7 2x1:2 4x1:2 1x4:2 2x4:2 4x4:2",
    "tma_async": "1x1:2,5,10 2x2:2,5 1x2:2,7 2x1:2 4x1:2 1x4:2 2x4:2 4x4:2",
    "tma_async_warp_specialized": "1x1:2,5,10 2x2:2,5 1x2:2,7 2x1:2 4x1:2 1x4:2 2x4:2 4x4:2",
    "tma_async_warp_specialized_persistent": "1x1:2,5 1x2:2 2x1:2",
    "sequence_barrier": "1x1:2,3,4,5",
}

GEMM = "gemm --target sm_90a --set M=128 N=128 K=256"
GEMM_ASCEND = "gemm --target ascend910b --set M=256 N=128 K=640 plan=no"
CATALOGUE = [
    *(f"{GEMM} stages={s} {more}" for s in (1, 2, 3, 4)
      for more in ("bm=64 bn=64 bk=32", "bm=64 bn=32 bk=64", "bm=128 bn=128 bk=64")),
    *(f"{GEMM} stages=2 bm=64 bn=64 bk=64 {more}"
      for more in ("a=col", "b=col", "a=col b=col", "dtype=bf16", "out=f32", "epilogue=bias",
                   "epilogue=bias_relu", "epilogue=bias_gelu", "dtype=bf16 out=f32 b=col")),
    *(f"gemm --target sm_90a --set M=128 N=256 K=128 bm=64 bn=64 bk=64 mode=persistent "
      f"stages=2 {more}" for more in ("", "cluster=2x1", "cluster=1x2")),
    f"{GEMM} bm=64 bn=64 bk=64 stages=2 cluster=2x1",
    "gemm --target sm_90a --set M=128 N=256 K=128 bm=64 bn=64 bk=64 mode=pingpong stages=2",
    "gemm --target sm_90a --set M=128 N=64 K=192 bm=64 bn=64 bk=64 mode=pipelined stages=2",
    "gemm --target sm_90a --set M=77 N=61 K=45 bm=64 bn=64 bk=16 stages=2",
    GEMM_ASCEND,
    *(f"{GEMM_ASCEND} {more}"
      for more in ("bm=32 bn=32 bk=32", "bm=64 bn=64 bk=64", "stages=1 bm=64 bn=64 bk=64",
                   "stages=3 bm=32 bn=32 bk=64", "a=col b=col bm=32 bn=32 bk=32", "out=f32",
                   "epilogue=bias bm=32 bn=32 bk=32", "epilogue=bias_gelu bm=32 bn=32 bk=32")),
    *(f"qk --target {target} --set iterations=5 l1_slots={l1} l0ab_slots={l0} l0c_slots={l0c}"
      for target in ("ascend910b", "sm_90a")
      for l1, l0, l0c in ((1, 1, 1), (1, 2, 2), (2, 2, 2), (3, 2, 1))
      if target == "ascend910b" or (l0, l0c) == (2, 2)),
    "attention_tile --target sm_90a --set queries=64 keys=64 d=64",
    "attention_tile --target sm_90a --set queries=64 keys=128 d=64",
    "attention_tile --target sm_90a --set queries=128 keys=64 d=64 dtype=bf16",
]

# What the issue of the campaign calls the kinds; `double`, `earlier` ... are those of the tool.
KINDS = ["drop", "drop fence", "double", "earlier", "later", "count", "bytes", "flip parity",
         "next slot", "stages", "cursor", "other id", "swap", "narrow", "scope",
         "in another warp", "in another role", "mask"]
NAMES = {"drop": "drop (fences aside)", "drop fence": "remove a fence", "double": "duplicate",
         "earlier": "move up", "later": "move down", "count": "count +-1", "bytes": "bytes +-16",
         "next slot": "shift the slot", "stages": "stages +-1",
         "cursor": "cursor of a ring one longer or shorter",
         "other id": "other id of a flag or named barrier", "swap": "swap two flags",
         "narrow": "narrow to one lane", "scope": "narrow the scope",
         "in another warp": "arrival by another warp", "in another role": "arrival by another role",
         "mask": "multicast to one CTA fewer"}


class Program:
    def __init__(self, name: str, arguments: list[str], ctas: int = 1):
        self.name, self.arguments = name, arguments
        self.large = ctas > 4  # runs of its clusters take seconds: a fifth of the sample

    def sample(self, whole: int) -> int:
        return max(1, whole // 5) if self.large and whole else whole


def settings(path: Path) -> list[str]:
    """The --set of a corpus program's own run line."""
    for line in path.read_text().splitlines():
        if found := re.match(r"// RUN: sluice check %s (--set [^|>]+)", line):
            return found[1].split()
    return []


def programs(folder: Path) -> list[Program]:
    found = [Program(str(path.relative_to(ROOT / "test")), [str(path), *settings(path)])
             for path in sorted(CORPUS.rglob("*.ok.mlir"))]
    for scenario, cases in CUTLASS.items():
        for case in cases.split():
            cluster, stages = case.split(":")
            for stage in stages.split(","):
                name = f"{scenario}-{cluster}-{stage}"
                path = folder / f"{name}.mlir"
                with open(path, "w") as file:
                    subprocess.run([sys.executable, CORPUS / "pipeline" / "generate.py", scenario,
                                    f"{cluster}:{stage}"], stdout=file, check=True)
                columns, rows = map(int, cluster.split("x"))
                found.append(Program(f"cutlass/{name}", [str(path)], columns * rows))
    return found + [Program(line, line.split()) for line in CATALOGUE]


class Campaign:
    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + 60 * options.minutes
        self.mutants, self.unclean, self.late, self.unsupported = [], [], [], []

    def run_one(self, program: Program):
        left = self.end - time.monotonic()
        if left <= 0:
            self.late.append(program.name)
            return
        options = self.options
        command = [str(options.build / "bin" / "sluice"), "mutate", *program.arguments, "--json",
                   "--states", str(options.states), "--chaos-runs", str(options.chaos_runs)]
        if sample := program.sample(options.sample):
            command += ["--sample", str(sample),
                        "--random", str(options.seed + zlib.crc32(program.name.encode()))]
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT,
                                  timeout=left + 60)
        except subprocess.TimeoutExpired:
            self.late.append(program.name)
            return
        if done.returncode == 3:
            self.unsupported.append(program.name)
            return
        if done.returncode not in (0, 1) or not done.stdout:
            self.unclean.append(f"{program.name}: {done.stderr.strip()[:200]}")
            return
        for mutant in json.loads(done.stdout)["mutants"]:
            mutant["program"] = program.name
            self.mutants.append(mutant)
            if mutant["outcome"] == "DISAGREEMENT":
                print(disagreement(mutant), file=sys.stderr, flush=True)

    def run(self, chosen: list[Program]):
        # Large ones first, the others in an order that spreads what the time does not reach.
        chosen = sorted(chosen, key=lambda p: (
            not p.large, zlib.crc32(f"{self.options.seed} {p.name}".encode())))
        with ThreadPoolExecutor(self.options.jobs) as pool:
            jobs = [pool.submit(self.run_one, program) for program in chosen]
            for number, job in enumerate(as_completed(jobs), 1):
                job.result()
                if number % 20 == 0:
                    print(f"{number} of {len(chosen)} programs", file=sys.stderr, flush=True)


def disagreement(mutant) -> str:
    return (f"DISAGREEMENT: {mutant['program']}: {mutant['mutation']} at {mutant['location']}: "
            f"{mutant['detail']}")


def kind_of(mutant) -> str:
    fence = mutant["kind"] == "drop" and "fence" in mutant["mutation"]
    return "drop fence" if fence else mutant["kind"]


def is_refused(mutant) -> bool:
    return mutant["outcome"].startswith("refused")


def counts(mutants) -> list[int]:
    """Mutants, killed, harmless by explorer and by chaos, unsupported, alarms, disagreements."""
    killed = [m for m in mutants if is_refused(m)]
    harmless = [m for m in mutants if m["outcome"] == "harmless"]
    return [len(mutants), len(killed), sum(m["evidence"] == "explorer" for m in harmless),
            sum(m["evidence"] == "chaos" for m in harmless),
            sum(m["outcome"] == "unsupported" for m in mutants),
            sum(m["evidence"] == "none" for m in killed),
            sum(m["outcome"] == "DISAGREEMENT" for m in mutants)]


def table(head: list[str], rows: list[list]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def by_kind(mutants) -> str:
    rows = []
    for kind in KINDS:
        these = [m for m in mutants if kind_of(m) == kind]
        if these:
            rows.append([NAMES.get(kind, kind), *counts(these)])
    rows.append(["all", *counts(mutants)])
    return table(["mutation", "mutants", "killed", "harmless: explorer", "harmless: chaos",
                  "unsupported", "of the killed: no fault found", "disagreement"], rows)


def by_class(mutants) -> str:
    killed = [m for m in mutants if is_refused(m)]
    rows = []
    for purpose in sorted({m["purpose"] for m in killed}):
        these = [m for m in killed if m["purpose"] == purpose]
        fitting = sum(m["outcome"] == "refused" for m in these)
        odd = collections.Counter(m["rule"] for m in these if m["outcome"] != "refused")
        rows.append([purpose, len(these), percent(fitting, len(these)),
                     ", ".join(f"{rule} x{n}" for rule, n in odd.most_common())])
    return table(["class of the operation", "killed", "with a rule of the class", "other rules"],
                 rows)


def alarms(mutants, most: int) -> str:
    """Refused mutants in which nothing else finds a fault, alike ones together."""
    alike = collections.defaultdict(list)
    for m in mutants:
        if is_refused(m) and m["evidence"] == "none":
            place = m["location"].split("/")[-1]
            alike[(m["rule"], m["mutation"])].append(f"{m['program']} ({place})")
    rows = [[rule, mutation, len(where), where[0]] for (rule, mutation), where
            in sorted(alike.items(), key=lambda item: -len(item[1]))]
    return table(["rule", "mutation", "times", "for instance"], rows[:most])


def tables(mutants, most_alarms: int) -> str:
    total = counts(mutants)
    killed = [m for m in mutants if is_refused(m)]
    fitting = sum(m["outcome"] == "refused" for m in killed)
    decided = sum(m["all_trips"] for m in mutants)
    text = (f"{by_kind(mutants)}\n"
            f"Kill rate {percent(total[1], total[0])}; of those that are not harmless "
            f"{percent(total[1], total[1] + total[4] + total[6])}. With a rule of the operation's "
            f"class: {percent(fitting, len(killed))}. Decided for every trip count: "
            f"{percent(decided, total[0])}. Harmless, but with another result than the program in "
            f"every run: {sum(m['other_result'] for m in mutants)}.\n\n{by_class(mutants)}\n")
    if total[5]:
        text += f"Refused, and nothing else finds a fault:\n\n{alarms(mutants, most_alarms)}\n"
    for m in mutants:
        if m["outcome"] == "DISAGREEMENT":
            text += disagreement(m) + "\n"
    return text


def tally(options) -> int:
    """A mutant that several runs have drawn counts once."""
    mutants = {}
    for path in options.tally:
        for m in json.loads(path.read_text()):
            mutants[(m["program"], m["mutation"], m["statement"])] = m
    distinct = list(mutants.values())
    names = {m["program"] for m in distinct}
    print(f"{len(distinct)} mutants of {len(names)} programs.\n")
    print(tables(distinct, options.alarms))
    return 1 if counts(distinct)[6] else 0


def report(campaign: Campaign, chosen: int, seconds: float) -> str:
    mutants = campaign.mutants
    options = campaign.options
    text = (f"{len(mutants)} mutants of {len({m['program'] for m in mutants})} programs "
            f"({chosen} chosen, {len(campaign.late)} not reached, "
            f"{len(campaign.unsupported)} unsupported), seed {options.seed}, sample "
            f"{options.sample}, {options.states} states, {options.chaos_runs} chaos runs, "
            f"{seconds:.0f} s.\n\n{tables(mutants, options.alarms)}")
    for line in campaign.unclean:
        text += f"NOT CLEAN: {line}\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--sample", type=int, default=5, help="mutants of each program; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=100_000, help="of the explorer, per launch")
    parser.add_argument("--chaos-runs", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=15, help="no program starts after these")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--alarms", type=int, default=30, help="rows of refusals without a fault")
    parser.add_argument("--json", type=Path, help="every mutant, to this file")
    parser.add_argument("--tally", type=Path, nargs="+", help="run nothing; add these files up")
    options = parser.parse_args()
    options.build = options.build.resolve()
    if options.tally:
        return tally(options)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        chosen = [p for p in programs(Path(folder)) if options.only in p.name]
        campaign = Campaign(options)
        campaign.run(chosen)
    print(report(campaign, len(chosen), time.monotonic() - begin), flush=True)
    if options.json:
        options.json.write_text(json.dumps(campaign.mutants, indent=1))
    bad = counts(campaign.mutants)[6] or campaign.unclean or not campaign.mutants
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
