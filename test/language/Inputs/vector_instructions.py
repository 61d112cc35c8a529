"""Tensors A (200 x 192) and W (1 x 192) of f16 as .npy files in the folder argv[1], and C of f32:
what Transform/vector_instructions.mlir makes of them."""

import math
import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)
rows, columns = 200, 192


def eighths(count):  # f16 holds them
    return [draw.randint(-16, 16) / 8 for _ in range(count)]


def element(row, column, x, total):
    if column >= 150 or column > row % 64 + 100:
        return 7.0
    beside = (x - total / columns) / math.sqrt(total * total + 1e-3) * weights[column]
    return min(math.log(math.exp(beside) + 1.5) - 0.25, 2 - beside)


a, weights = [eighths(columns) for _ in range(rows)], eighths(columns)
totals = [sum(map(abs, line)) for line in a]
c = [element(i, j, x, totals[i]) for i, line in enumerate(a) for j, x in enumerate(line)]
npy.write(folder / "A.npy", "<f2", (rows, columns), [x for line in a for x in line])
npy.write(folder / "W.npy", "<f2", (1, columns), weights)
npy.write(folder / "C.npy", "<f4", (rows, columns), c)
