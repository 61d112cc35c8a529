"""scaled_half.ok.mlir (stdin) with A in tensor memory (stdout): eight tiles of 16 bytes a row,
which tcgen05.cp brings to lanes 0 to 63 and to lanes 64 to 127."""

import sys

PARTS = range(8)
TILE, OLD = "64x16xf8E4M3FN, smem, row", "64x128xf8E4M3FN, smem, sw128"
ALL, LANES = "128x128xf8E4M3FN, tmem, row", "128x16xf8E4M3FN, tmem, row"
SUMS = "<128x64xf32, tmem, row>"


def each(line):
    return "".join(line.format(i=i, k=16 * i) + "\n" for i in PARTS)


out, skip = "", 0
for line in sys.stdin.read().split("\n"):
    if skip:
        skip -= 1
    elif line.startswith("//"):
        continue
    elif "%c0 = arith.constant" in line:
        out += line + "\n" + each("  %e{i} = arith.constant {k} : index")
    elif '%a = sluice.alloc "a"' in line:
        out += each(f'  %a{{i}} = sluice.alloc "a{{i}}" : !sluice.buffer<{TILE}, slots 3>')
    elif '%ta = sluice.alloc' in line:
        out += line + f'\n  %p = sluice.alloc "p" at 384 : !sluice.buffer<{ALL}>\n'
    elif "%as = sluice.slot" in line:
        out += each(f"      %as{{i}} = sluice.slot %a{{i}}[%slot] : <{TILE}, slots 3>")
    elif "tma.load %A[" in line:
        skip = 1
        out += each("      %k{i} = arith.addi %k, %e{i} : index\n"
                    "      sluice.tma.load %A[%row, %k{i}] to %as{i}, %full[%slot] rank %c0\n"
                    f"          : <?x?xf8E4M3FN, align 16>, <{TILE}>, <3>")
    elif "sluice.copy %sas" in line:
        out += line + "\n" + each(
            f"        %p{{i}} = sluice.subview %p[%c0, %e{{i}}] : <{ALL}> to <{LANES}>\n"
            f"        sluice.copy %as{{i}} to %p{{i}} ctas 2 : <{TILE}>, <{LANES}>")
    else:
        out += line.replace("mma %d, %as,", "mma %d, %p,").replace(
            f"{SUMS}, <{OLD}>,", f"{SUMS}, <{ALL}>,") + "\n"
print(out)
