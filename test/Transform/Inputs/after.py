"""Prints what `sluice --dump-after-each` says after the pass of the given name."""
import sys

text = sys.stdin.read()
begin = text.index(f"// ---- after {sys.argv[1]}\n")
print(text[begin:].split("// ---- after", 2)[1].split("\n", 1)[1])
