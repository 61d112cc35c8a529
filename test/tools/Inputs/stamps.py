"""Writes what a device would write for `gemm` of one tile and two steps of K, printed with stamps:
every event of a warp begins 100 clocks after the one before and takes 60."""

import struct
import sys

kept, start = 16384, 1 << 40
product = [1] + [2, 3, 4] * 2 + [5, 6, 7]  # wait, product, wait; wait, map, copy
warps = [product + ([8] if w < 4 else [9]) + ([10, 11] if w % 4 == 0 else []) for w in range(8)]
warps.append([1] + [12, 13, 14] * 2)  # wait, two loads

with open(sys.argv[1], "wb") as out:
    for w, events in enumerate(warps):
        late = start + (500 if w < 8 else 0)  # loads come first
        records = [(late, 100 * len(events) + 100, len(events))]
        records += [(late + 100 * (n + 1), 60, event) for n, event in enumerate(events)]
        records += [(0, 0, 0)] * (1 + kept - len(records))
        out.write(b"".join(struct.pack("<QII", *record) for record in records))
