"""A, B, D and C = D + A B of small integers, which every order of adding up gives exactly, as .npy
files in the folder argv[1]; then the rows and columns of C, and K. B lies as [N, K]."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
rows, columns, depth = map(int, sys.argv[2:5])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)


def drawn(lines, length, size):
    return [[float(draw.randrange(-size, size + 1)) for _ in range(length)] for _ in range(lines)]


A, B, D = drawn(rows, depth, 4), drawn(columns, depth, 4), drawn(rows, columns, 100)
C = [[D[i][j] + sum(x * y for x, y in zip(A[i], B[j])) for j in range(columns)]
     for i in range(rows)]
for name, matrix in (("A", A), ("B", B), ("D", D), ("C", C)):
    npy.write_rows(folder / f"{name}.npy", "<f4", matrix)
