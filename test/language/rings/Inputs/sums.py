"""X and Z (64 x 160) of whole numbers and the sums of their five parts of 32 columns, as .npy files
in the folder argv[1]: of X (sum), twice (twice), of X and Z (both), of X and of the first part of Z
(start); Z0 is that part; X twice (doubled), of X and twice Z (merged); X above Z (pair), that
above itself (four) and the sum of its four parts (around), also four times (everywhere); ones."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(3)
x, z = ([[draw.randint(-8, 8) for _ in range(160)] for _ in range(64)] for _ in "xz")
first = [row[:32] for row in z]


def folded(rows):
    return [[sum(row[c::32]) for c in range(32)] for row in rows]


def plus(a, b):
    return [[u + v for u, v in zip(r, s)] for r, s in zip(a, b)]


for name, rows in {"X": x, "Z": z, "Z0": first, "sum": folded(x), "twice": folded(plus(x, x)),
                   "both": plus(folded(x), folded(z)), "start": plus(folded(x), first),
                   "doubled": plus(x, x), "pair": x + z, "four": x + z + x + z,
                   "around": plus(plus(x, z), plus(x, z)),
                   "everywhere": plus(plus(x, z), plus(x, z)) * 4, "ones": [[1] * 160] * 64,
                   "merged": plus(plus(folded(x), folded(z)), folded(z))}.items():
    npy.write_rows(folder / f"{name}.npy", "<f4", rows)
