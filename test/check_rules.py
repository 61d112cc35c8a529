#!/usr/bin/env python3
"""Checks that every rule of docs/semantics.md has a row in lib/Diagnose/Rules.cpp, is used by the
checker, and has at least one test that accepts and one that refuses a program."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def labels(pattern, files):
    return {label for f in files for label in re.findall(pattern, f.read_text())}


def main():
    documented = labels(r"(?m)^### (R\d+) ", [root / "docs/semantics.md"])
    table = labels(r'\{"(R\d+)",', [root / "lib/Diagnose/Rules.cpp"])
    used = labels(r'"(R\d+)"', (root / "lib/Verify").glob("*.cpp"))
    tests = list((root / "test/unit/Verify").glob("*.cpp"))
    accepts = labels(r"\b(R\d+)_Accepts\w+", tests)
    refuses = labels(r"\b(R\d+)_Refuses\w+", tests)

    faults = []
    for what, found in [("Rules.cpp", table), ("the checker", used), ("accepting tests", accepts),
                        ("refusing tests", refuses)]:
        for label in sorted(documented - found):
            faults.append(f"{label} is missing in {what}")
        for label in sorted(found - documented):
            faults.append(f"{label} of {what} is not in docs/semantics.md")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(documented)} rules")
    return 1 if faults or not documented else 0


if __name__ == "__main__":
    sys.exit(main())
