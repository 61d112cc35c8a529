"""language/later/cta_pair_attention.mlir (stdin) with other names, its pipelines declared in
another order, and a third warpgroup beside the one that weighs and the one that corrects: it weighs
the right half of the scores' columns, for which it looks at all of them, as the first does, and
writes them to P. What the two exchange of a row they do each for themselves."""

import re
import sys

text = sys.stdin.read()
text = text[text.index("sluice.kernel") :]


def role(name):
    start = text.index(f'  sluice.role "{name}"')
    return start, text.index("\n  }\n", start) + len("\n  }\n")


start, end = role("softmax")
first = text[start:end]

# The first one writes the left half of the weights, the third one the right half.
whole = "sluice.copy %p16 to %p : <128x128xf16, reg, row>, <128x128xf16, smem, sw128>"


def half(column):
    part = "<128x128xf16, {0}> to <128x64xf16, {0}>"
    return (f"%mine = sluice.subview %p16[%c0, {column}] : {part.format('reg, row')}\n"
            f"      %to = sluice.subview %p[%c0, {column}] : {part.format('smem, sw128')}\n"
            "      sluice.copy %mine to %to : <128x64xf16, reg, row>, <128x64xf16, smem, sw128>")


third = first.replace('"softmax" warps 0 to 4', '"third" warps 12 to 16')
third = third.replace(whole, half("%c64")).replace("bar.sync 1", "bar.sync 2")
third = third.replace("%swap", "%swap2")
# It hands on no factors, and takes no sums out.
third = third[:third.index("    sluice.copy %sum to %below")] + "  }\n"
third = re.sub(r"      %c_next = scf.if .*?\n      }\n(?=      %s1)", "", third, flags=re.S)
third = third.replace("%c_next", "%ct")
text = text[:start] + first.replace(whole, half("%c0")) + third + text[end:]
text = text.replace('  %lo = sluice.alloc', '  %swap2 = sluice.alloc "swap2" : '
                    "!sluice.buffer<256x1xf32, smem, row>\n  %lo = sluice.alloc", 1)
text = text.replace("warps = 12", "warps = 16")
for ring, sides in {"p": "from", "s": "to"}.items():
    side = rf'(sluice.pipeline "{ring}" .*?{sides} \["[a-z", ]*softmax")'
    text = re.sub(side, r'\1, "third"', text, flags=re.S, count=1)

# Declarations the other way round; what merges with another stays behind it.
rings = re.findall(r"  %\w+ = sluice.pipeline .*?: !sluice.pipeline<\d>\n", text, flags=re.S)
for ring in rings:
    text = text.replace(ring, "", 1)
merging = [ring for ring in rings if "merge" in ring]
rest = [ring for ring in reversed(rings) if "merge" not in ring]
start = "  %start = sluice.cursor"
text = text.replace(start, "".join(rest + merging) + start, 1)
for name, other in {"softmax": "weigh", "correction": "rescale", "hi_ready": "upper"}.items():
    text = text.replace(f'"{name}"', f'"{other}"')
print(text)
