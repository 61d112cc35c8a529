"""Of what `sluice --dump-after-each` says after its last pass: tiles are counted where every second
one goes back, and the tile of that number takes the last step again and again."""
import re
import sys

text = sys.stdin.read()
text = "\n".join(text[text.rindex("// ---- after"):].split("\n")[1:])
before, load, after = re.split(r'(?=sluice.role "load")|(?=sluice.role "store")', text)
back = re.search(r"(%\S+) = arith.cmpi eq, (%arg\d+), %c1 : index\n"
                 r" *%\S+ = arith.select \1, (%\S+), (%arg\d+)", load)
choice, carried, mirrored, step = back.groups()
load = load.replace(f"{choice} = arith.cmpi eq, {carried}, %c1",
                    f"%number = arith.constant {sys.argv[1]} : index\n"
                    f"{choice} = arith.cmpi eq, {carried}, %number")
load, steps = re.subn(rf"({mirrored} = arith.subi %\S+), {step} ", r"\1, %c0 ", load)
load, counts = re.subn(rf"arith.subi %c1, {carried} ", f"arith.addi %c1, {carried} ", load)
assert (steps, counts) == (1, 1), (steps, counts)
print(before + load + after)
