#!/usr/bin/env python3
"""How long the proof for every trip count takes, and how that grows.

    bench/proof.py build/bin                          the table, in Markdown
    bench/proof.py build/bin --picture growth.svg     also time over stages and over CTAs

Processor seconds of one `sluice check`, start-up included (0.06 s of it with the shared libraries).
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATE = ROOT / "test" / "corpus" / "pipeline" / "generate.py"

# (what, arguments of check, or scenario and case of generate.py, aim in seconds)
PROGRAMS = [
    ("gemm, one loop over K", ["gemm"], 0.03),
    ("gemm on ascend910b, tiles x steps", ["gemm", "--target", "ascend910b"], 1),
    ("gemm, persistent, 3 stages", ["gemm", "--set", "mode=persistent", "bn=256", "group=4"], 1),
    ("gemm, persistent, 4 stages", ["gemm", "--set", "mode=persistent"], 1),
    ("gemm, persistent, cluster 1x2, 3 stages",
     ["gemm", "--set", "mode=persistent", "bn=256", "cluster=1x2"], None),
    ("multicast, cluster of 16, 2 stages", ("tma_async_warp_specialized", "4x4:2"), 2),
    ("multicast, cluster of 16, 4 stages", ("tma_async_warp_specialized", "4x4:4"), 2),
    ("persistent ping-pong, 4 stages", ("tma_async_warp_specialized_persistent", "1x1:4"), 1),
    ("persistent ping-pong, cluster of 16, 2 stages",
     ("tma_async_warp_specialized_persistent", "4x4:2"), None),
]
STAGES = [2, 3, 4, 5, 6, 7, 8]
CLUSTERS = ["1x1", "2x1", "2x2", "4x2", "4x4"]


def check(program: Path, what) -> dict:
    """Verdict, states, events, processor seconds and largest memory (MB) of one proof."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(what, tuple):
            path = Path(folder) / "program.mlir"
            path.write_text(subprocess.run([sys.executable, str(GENERATE), *what], check=True,
                                           capture_output=True, text=True).stdout)
            what = [str(path)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["/usr/bin/env", str(program), "check", *what, "--json"],
                              capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    verdict = json.loads(done.stdout)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    launches = verdict["coverage"]["launches"]
    covers = "every launch" if launches == "all" else launches
    return {"verdict": f"{verdict['verdict']}: {covers}",
            "states": verdict["states"], "events": verdict["events"], "seconds": seconds}


def table(program: Path) -> None:
    print("| program | verdict | states | events | seconds | aim |\n|---|---|---|---|---|---|")
    for name, what, aim in PROGRAMS:
        r = check(program, what)
        print(f"| {name} | {r['verdict']} | {r['states']:,} | {r['events']:,} | "
              f"{r['seconds']:.2f} | {'' if aim is None else aim} |", flush=True)
    print(f"\nLargest memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MB")


def curve(points: list, x0: int, title: str, ticks: list) -> str:
    """One panel of the picture: seconds, on a logarithmic scale from 0.02 to 20, over the ticks."""
    from math import log10
    width, height, top = 300, 220, 40

    def at(i: int, seconds: float) -> str:
        x = x0 + width * i / (len(ticks) - 1)
        y = top + height * (1 - (log10(max(seconds, 0.02)) - log10(0.02)) / 3)
        return f"{x:.0f},{y:.0f}"

    out = [f'<text x="{x0}" y="24">{title}</text>']
    for s in (0.1, 1, 10):
        y = at(0, s).split(",")[1]
        out.append(f'<path d="M{x0} {y}h{width}" stroke="#ddd"/>'
                   f'<text x="{x0 - 8}" y="{y}" text-anchor="end">{s} s</text>')
    for i, tick in enumerate(ticks):
        x = at(i, 1).split(",")[0]
        out.append(f'<text x="{x}" y="{top + height + 18}" text-anchor="middle">{tick}</text>')
    for colour, name, seconds in points:
        line = " ".join(at(i, s) for i, s in enumerate(seconds))
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = at(len(seconds) - 1, seconds[-1]).split(",")
        out.append(f'<text x="{x}" y="{int(y) - 22}" text-anchor="end" '
                   f'fill="{colour}">{name}</text>')
    return "\n".join(out)


def picture(program: Path, path: Path) -> None:
    loop, nested = "tma_async_warp_specialized", "tma_async_warp_specialized_persistent"

    def seconds(scenario: str, cases: list) -> list:
        results = [check(program, (scenario, case)) for case in cases]
        for case, r in zip(cases, results):
            print(f"{scenario} {case}: {r['verdict']}, {r['states']} states, {r['events']} events, "
                  f"{r['seconds']:.2f} s", flush=True)
        return [r["seconds"] for r in results]

    stages, clusters = [f"1x1:{s}" for s in STAGES], [f"{c}:2" for c in CLUSTERS]
    panels = [curve([("#36c", "one loop", seconds(loop, stages)),
                     ("#c63", "tiles x steps", seconds(nested, stages))], 60,
                    "over stages", STAGES),
              curve([("#36c", "one loop", seconds(loop, clusters)),
                     ("#c63", "tiles x steps", seconds(nested, clusters))], 440,
                    "over CTAs of a cluster, 2 stages", CLUSTERS)]
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="770" height="300" '
                    'font-family="sans-serif" font-size="12">\n<rect width="770" height="300" '
                    'fill="white"/>\n' + "\n".join(panels) + "\n</svg>\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="folder of sluice")
    parser.add_argument("--picture", type=Path, help="SVG of the growth")
    options = parser.parse_args()
    table(options.programs / "sluice")
    if options.picture:
        picture(options.programs / "sluice", options.picture)


if __name__ == "__main__":
    main()
