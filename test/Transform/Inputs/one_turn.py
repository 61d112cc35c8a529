"""Prints what `sluice --dump-after-each` says after its last pass, with one counter for all CTAs of
a cluster: that of the first."""
import re
import sys

text = sys.stdin.read()
text = text[text.rindex("// ---- after"):].split("\n", 1)[1]
print(re.sub(r"%turn\[(%\w+), %rank\]", r"%turn[\1, %c0]", text))
