"""Compares the corpus with the pages that list it: argv = the pages, the corpus.

A page names a program in the one but last column of a table: `name` of the folder in the table's
header ("file in `folder/`"), or `folder/name`. Or it has a heading **`folder/name.ok.mlir`**, and
under it a list, or a table, that begins with `name-defect.bad.mlir` or `.bad.diff`."""

import pathlib
import re
import sys

*pages, corpus = map(pathlib.Path, sys.argv[1:])


def programs(page):
    section = ""
    for line in page.read_text().splitlines():
        if heading := re.match(r"\*\*`(\w+)/(\w+)\.ok\.mlir`\*\*", line):
            section = heading.group(1)
            yield f"{section}/{heading.group(2)}.ok"
        if defect := re.match(r"- `([\w-]+\.bad)\.(?:mlir|diff)` ", line):
            yield f"{section}/{defect.group(1)}"
        if not line.startswith("|"):
            continue
        if header := re.search(r"file in `(\w+)/`", line):
            section = header.group(1)
        elif re.search(r"\| file( \(.*)? \| rule", line):
            section = ""
        cells = line.split("|")
        if defect := re.fullmatch(r" `([\w-]+\.bad)\.(?:mlir|diff)` ", cells[1]):
            yield f"{section}/{defect.group(1)}"
        elif len(cells) > 4:
            name = re.fullmatch(r" `(?:(\w+)/)?(\w+)` ", cells[-3])
            if name and (name.group(1) or section):
                yield f"{name.group(1) or section}/{name.group(2)}"


there = {
    str(f.relative_to(corpus).with_suffix(""))
    for end in ("mlir", "diff")
    for f in corpus.glob(f"*/*.{end}")
}
named = {name for page in pages for name in programs(page)}
# `name` stands for name.ok and name.bad, whichever there are.
missing = {f for f in there - named if f.rsplit(".", 1)[0] not in named}
absent = {n for n in named - there if not {n + ".ok", n + ".bad"} & there}
for text, names in [("not in the tables", missing), ("no such file", absent)]:
    for name in sorted(names):
        print(f"{text}: {name}")
print(f"{len(there)} programs" if not missing | absent else "differ")
