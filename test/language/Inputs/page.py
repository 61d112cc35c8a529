"""Whether a page shows what is so: argv = the page, what its commands printed. Lines of its blocks
without a language, and of `cpp`, are lines of the output, in the same order within a block."""

import pathlib
import sys

page, printed = (pathlib.Path(p).read_text().splitlines() for p in sys.argv[1:])
printed = [line.rstrip() for line in printed]
block = None  # what the block in hand is of; None: outside
wrong = []
for number, line in enumerate(page, 1):
    if line.startswith("```"):
        block = line[3:] if block is None else None
        at = 0
    elif block in ("", "cpp") and line.strip():
        if line.rstrip() in printed[at:]:
            at += printed[at:].index(line.rstrip()) + 1
        else:
            wrong.append(f"{number}: {line}")
sys.exit("\n".join(wrong) or 0)
