#!/usr/bin/env python3
"""Runs the unit and the command-line tests of a build folder; ends with "N passed, N failed"."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


LONGEST = ("KernelsTests", "EmitTests", "VerifyTests")  # begin first


def rank(name: str) -> int:
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def run_unit(program: Path, report: Path, everything: bool) -> tuple[int, int, str]:
    """Passed, failed and, when something failed, the output of one GoogleTest program."""
    command = [str(program), f"--gtest_output=json:{report}", "--gtest_brief=1"]
    if not everything:
        command.append("--gtest_filter=-*Slow*")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if not report.exists():  # it crashed
        return 0, 1, f"{program.name}: exit {done.returncode}\n{done.stdout}"
    with open(report) as file:
        result = json.load(file)
    failed = result["failures"] + result["errors"]
    ran = sum(case["status"] == "RUN" for suite in result["testsuites"]
              for case in suite["testsuite"])
    if done.returncode != 0 and failed == 0:  # leaks and the like: reported after the tests
        failed, ran = 1, ran + 1
    return ran - failed, failed, done.stdout if failed else ""


def run_units(build: Path, everything: bool) -> tuple[int, int]:
    listed = (build / "test" / "unit-tests.txt").read_text().split()
    listed.sort(key=lambda path: rank(Path(path).name))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(Path(p), Path(folder) / f"{Path(p).name}.json") for p in listed]
        for good, bad, output in pool.map(lambda j: run_unit(*j, everything), jobs):
            passed, failed = passed + good, failed + bad
            if output:
                print(output)
    return passed, failed


def run_lit(build: Path, everything: bool) -> tuple[int, int]:
    """Passed and failed of the tests under test/ with run lines."""
    lit = (build / "test" / "lit-program.txt").read_text().strip()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "lit.json"
        command = [lit, "-q", "-v", "--output", str(report), str(build / "test")]
        if everything:
            command[1:1] = ["-D", "slow=1"]
        done = subprocess.run(command, stderr=subprocess.STDOUT)
        if not report.exists():
            return 0, 1
        with open(report) as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    # Tests that need a GPU or --all report UNSUPPORTED and count as neither.
    passed = codes.count("PASS")
    failed = sum(code not in ("PASS", "UNSUPPORTED", "EXCLUDED", "SKIPPED") for code in codes)
    if done.returncode != 0 and failed == 0:
        failed = 1
    return passed, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true", help="the slow ones too")
    parser.add_argument("--unit-only", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    passed, failed = run_units(build, arguments.all)
    if not arguments.unit_only:
        more, bad = run_lit(build, arguments.all)
        passed, failed = passed + more, failed + bad
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
