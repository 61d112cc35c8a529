"""Whole numbers X (7 x 64) and the sums of its even and of its odd rows, S (2 x 64), as .npy files
in the folder argv[1]."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)
x = [[draw.randint(-9, 9) for _ in range(64)] for _ in range(7)]
s = [[sum(column) for column in zip(*x[half::2])] for half in range(2)]
npy.write(folder / "X.npy", "<f4", (7, 64), [v for row in x for v in row])
npy.write(folder / "S.npy", "<f4", (2, 64), [v for row in s for v in row])
