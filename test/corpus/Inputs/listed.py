"""Compares the corpus with the tables of docs/scenarios-consan.md: argv = the page, the corpus."""

import pathlib
import re
import sys

page, corpus = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
classes = re.findall(r"`(\w+)`", re.search(r"^Classes: (.*)$", page, re.M).group(1))

named, section = set(), ""
for line in page.splitlines():
    if line.startswith("|"):
        header = re.search(r"file in `(\w+)/`", line)
        section = header.group(1) if header else "" if re.search(r"\| file \|", line) else section
        cells = line.split("|")
        if len(cells) > 4:  # tables of files have a rule as their last column
            name = re.fullmatch(r" `(?:(\w+)/)?(\w+)` ", cells[-3])
            if name:
                named.add(f"{name.group(1) or section}/{name.group(2)}")

there = {
    f"{c}/{f.name.split('.')[0]}" for c in classes for f in (corpus / c).glob("*.mlir")
}
for text, names in [("not in the tables", there - named), ("no such file", named - there)]:
    for name in sorted(names):
        print(f"{text}: {name}")
print(f"{len(there)} programs" if there == named else "differ")
