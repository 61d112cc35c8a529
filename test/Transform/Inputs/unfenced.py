"""Prints what `sluice --dump-after-each` says after its last pass, without the fence in front of
the first copy to another CTA."""
import sys

text = sys.stdin.read()
lines = text[text.rindex("// ---- after"):].split("\n")[1:]
copy = next(number for number, line in enumerate(lines) if "sluice.remote.copy" in line)
fence = max(number for number in range(copy) if "sluice.fence proxy_async" in lines[number])
print("\n".join(lines[:fence] + lines[fence + 1:]))
