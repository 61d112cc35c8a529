"""Prints what `sluice --dump-after-each` says after its last pass, without the first line that
contains the given text."""
import sys

text = sys.stdin.read()
last = text[text.rindex("// ---- after"):].split("\n")[1:]
gone = next(number for number, line in enumerate(last) if sys.argv[1] in line)
print("\n".join(last[:gone] + last[gone + 1:]))
