#!/usr/bin/env python3
"""Programs of the tests on a GPU, beside the virtual machine: every kernel in text that a run line
of test/ computes with or has checked, as it stands there or as the lines before it edit it.

    bench/texts.py prepare FOLDER build/bin [AREA ...]   runs each on the virtual machine
    bench/texts.py compare FOLDER build-release/bin      on a machine with a Hopper GPU

AREA is a part of a test's path, such as language or Transform/roles; without one all tests. FOLDER
takes each program that the virtual machine computes, with its inputs. `compare` has both compute,
prints a row for each and a count last (needs NumPy). Exit code 1: one differs, or was not run.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "test"
SECONDS = 60  # of one run
TOLERANCES = {"<f4": 1e-4, "<f8": 1e-5, "<f2": 2.0**-10}  # of the largest value
ELSEWHERE = ("--schedule", "--target", "--arch", "--counterexample")  # of no GPU, or of its machine


@dataclass
class Run:
    """`sluice run PROGRAM ARGUMENTS`, by a line of a test."""
    test: str
    program: Path
    sets: list[str] = field(default_factory=list)
    inputs: dict[str, Path] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)  # --random 3, --unproven


def commands(test: Path) -> list[str]:
    """What the run lines say, without what checks it."""
    lines, last = [], ""
    for line in test.read_text().splitlines():
        if found := re.search(r"RUN: (.*)", line):
            last += found.group(1).rstrip()
            if last.endswith("\\"):
                last = last[:-1]
                continue
            lines += [part.strip() for part in last.split("&&")]
            last = ""
    return [re.sub(r"\s*\|\s*FileCheck.*", "", line) for line in lines]


def substituted(command: str, test: Path, made: Path) -> str:
    words = {"%%": "%", "%python": sys.executable, "%S": str(test.parent), "%s": str(test),
             "%t": str(made)}
    return re.sub(r"%%|%python|%[Sst]\b", lambda m: words[m.group()], command)


def runOf(test: str, command: str) -> Run | None:
    words = shlex.split(command)
    if (words[:1] != ["sluice"] or words[1:2] not in (["run"], ["check"]) or len(words) < 3
            or not words[2].endswith(".mlir") or any(word in ELSEWHERE for word in words)):
        return None
    run, option = Run(test, Path(words[2])), ""
    if "--random" not in words:
        run.flags = ["--random", "1"]
    for word in words[3:]:
        if word.startswith("--"):
            option = word
            run.flags += [word] if word in ("--random", "--unproven") else []
        elif option == "--set":
            run.sets.append(word)
        elif option == "--in":
            name, path = word.split("=", 1)
            run.inputs[name] = Path(path)
        elif option == "--random":
            run.flags.append(word)
    return run


def outputsOf(program: Path) -> list[str]:
    marks = re.findall(r"\{([^{}]*sluice\.name = \"[^{}]*)\}", program.read_text())
    return [re.search(r'sluice\.name = "([^"]*)"', m).group(1) for m in marks
            if re.search(r"sluice\.(out|inout)\b", m)]


def arguments(run: Run) -> list[str]:
    given = [str(run.program), *run.flags]
    given += ["--set", *run.sets] if run.sets else []
    return given + (["--in", *(f"{n}={p}" for n, p in run.inputs.items())] if run.inputs else [])


def keep(run: Run, folder: Path, sluice: Path) -> bool:
    """Whether the virtual machine computes it; then all that a GPU needs is in `folder`."""
    folder.mkdir(parents=True)
    outputs = outputsOf(run.program)
    program = folder / "kernel.mlir"
    shutil.copy(run.program, program)
    for name, path in run.inputs.items():
        shutil.copy(path, folder / f"in_{name}.npy")
    run.program, run.inputs = program, {n: folder / f"in_{n}.npy" for n in run.inputs}
    try:
        done = subprocess.run([sluice, "run", *arguments(run), "--device", "sim"],
                              capture_output=True, text=True, timeout=SECONDS)
        known = done.returncode == 0 and "has no model" not in done.stdout + done.stderr  # raw text
    except subprocess.TimeoutExpired:  # a loop that numbers end which nobody gave
        known = False
    if not known or not outputs or not isForGpu(program, sluice):
        shutil.rmtree(folder)
        return False
    (folder / "run.json").write_text(json.dumps(
        {"test": run.test, "flags": run.flags, "sets": run.sets, "inputs": list(run.inputs),
         "outputs": outputs}))
    return True


def isForGpu(program: Path, sluice: Path) -> bool:
    """Whether it is printed for Hopper, and no other launch or order may break a rule."""
    done = subprocess.run([sluice, "emit", program, "--unproven"], capture_output=True, text=True,
                          timeout=SECONDS)
    return done.returncode == 0 and "sm_90a" in done.stdout and "may break" not in done.stdout


def runsOf(test: Path, scratch: Path, environment: dict[str, str]) -> list[Run]:
    """Edits and inputs are made on the way."""
    runs = []
    for command in commands(test):
        line = substituted(command, test, scratch / "t")
        try:
            run = runOf(str(test.relative_to(TESTS)), line)
        except ValueError:
            continue
        if run and run.program.exists():
            runs.append(Run(run.test, scratch / f"{len(runs)}.mlir", run.sets, run.inputs,
                            run.flags))
            shutil.copy(run.program, runs[-1].program)
        elif not re.match(r"(not|sluice|%if|FileCheck|diff|cmp)\b", line) and "%if" not in line:
            subprocess.run(line, shell=True, env=environment, capture_output=True, cwd=scratch)
        elif " > " in line and re.match(r"sluice(-opt)? ", line):
            subprocess.run(line, shell=True, env=environment, capture_output=True, cwd=scratch)
    return runs


def prepare(folder: Path, programs: Path, areas: list[str]) -> int:
    tests = [test for ending in ("*.mlir", "*.test") for test in sorted(TESTS.rglob(ending))
             if "Inputs" not in test.parts and (not areas or any(a in str(test) for a in areas))]
    environment = os.environ | {"PATH": f"{programs.resolve()}:{os.environ['PATH']}",
                                "PYTHONPATH": str(TESTS / "Inputs")}
    seen, kept = set(), 0
    for test in tests:
        with tempfile.TemporaryDirectory() as scratch:
            for run in runsOf(test, Path(scratch), environment):
                given = (str(part) for part in (run.sets, run.flags, run.inputs))
                key = (run.program.read_text(), *given)
                if key in seen or not all(path.exists() for path in run.inputs.values()):
                    continue
                seen.add(key)
                own = f"{'-'.join(test.relative_to(TESTS).parts)}-{kept}"
                kept += keep(run, folder / own, programs / "sluice")
    print(f"{kept} programs of {len(tests)} tests in {folder}")
    return 0 if kept else 1


def elements(file: Path):
    """Of an output: its bytes, and its values; types that NumPy has not by their codes."""
    import numpy as np
    held = np.load(file)
    size = held.dtype.itemsize
    codes = np.ascontiguousarray(held).view(f"<u{size}")
    if held.dtype.kind in "fi":
        return codes, held.astype(np.float64), TOLERANCES.get(held.dtype.str, 0)
    if size == 2:  # bf16: the upper half of an f32
        upper = (codes.astype(np.uint32) << 16).view(np.float32)
        return codes, upper.astype(np.float64), 2.0**-7
    return codes, codes.astype(np.float64), 1 / 255


def different(sim: Path, cuda: Path) -> str:
    """Nothing, or how far from the virtual machine's. Elements that the kernel writes nowhere are
    zero there, and all bits on a GPU, where outputs are poisoned before."""
    import numpy as np
    codes, have, tolerance = elements(cuda)
    _, want, _ = elements(sim)
    written = (codes != np.iinfo(codes.dtype).max) | (want != 0)
    same = (have == want) | ~written
    with np.errstate(invalid="ignore"):
        far = np.where(same, 0.0, np.abs(have - want))
    largest = np.abs(want[np.isfinite(want)]).max(initial=0) or 1.0
    error = far.max(initial=0) / largest
    return "" if error <= tolerance else f"error {error:.3g} of the largest value"


def compareOne(folder: Path, sluice: Path) -> tuple[str, str]:
    """The test, and nothing or what is wrong."""
    run = json.loads((folder / "run.json").read_text())
    inputs = {name: folder / f"in_{name}.npy" for name in run["inputs"]}
    given = arguments(Run(run["test"], folder / "kernel.mlir", run["sets"], inputs, run["flags"]))
    with tempfile.TemporaryDirectory() as scratch:
        for device in ("sim", "cuda"):
            files = [f"{name}={scratch}/{name}.{device}.npy" for name in run["outputs"]]
            try:
                done = subprocess.run(
                    [sluice, "run", *given, "--device", device, "--out", *files],
                    capture_output=True, text=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return folder.name, f"{device}: no end within {SECONDS} s"
            if done.returncode != 0:
                text = (done.stderr or done.stdout).strip().splitlines()
                return folder.name, f"{device}: exit {done.returncode}: {text[:3]}"
        wrong = {name: different(Path(f"{scratch}/{name}.sim.npy"),
                                 Path(f"{scratch}/{name}.cuda.npy")) for name in run["outputs"]}
    return folder.name, ", ".join(f"{name}: {what}" for name, what in wrong.items() if what)


def compare(folder: Path, programs: Path) -> int:
    folders = sorted(path.parent for path in folder.glob("*/run.json"))
    jobs = int(os.environ.get("JOBS", max(1, (os.cpu_count() or 2) // 2)))
    wrong = 0
    with ThreadPoolExecutor(jobs) as pool:
        for name, what in pool.map(lambda f: compareOne(f, programs / "sluice"), folders):
            wrong += what != ""
            print(f"{name:60} {what or 'right'}", flush=True)
    print(f"{len(folders)} programs of the tests: {len(folders) - wrong} as on the virtual "
          f"machine, {wrong} not")
    return 1 if wrong or not folders else 0


def main() -> int:
    if len(sys.argv) < 4 or sys.argv[1] not in ("prepare", "compare"):
        print(__doc__, file=sys.stderr)
        return 2
    verb, folder, programs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    return (prepare(folder, programs, sys.argv[4:]) if verb == "prepare"
            else compare(folder, programs))


if __name__ == "__main__":
    sys.exit(main())
