"""A (130 x 328) and B (328 x 72) of small whole numbers in f16, and C (f32): their product over
every other block of 64 columns of A, as .npy files argv[1].a.npy, .b.npy and .c.npy."""

import random
import sys

import npy

draw = random.Random(1)


def matrix(rows, columns):
    return [[draw.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]


a, b = matrix(130, 328), matrix(328, 72)
taken = [k for k in range(328) if k // 64 % 2 == 0]
npy.write_rows(f"{sys.argv[1]}.a.npy", "<f2", a)
npy.write_rows(f"{sys.argv[1]}.b.npy", "<f2", b)
c = [[sum(row[k] * b[k][j] for k in taken) for j in range(72)] for row in a]
npy.write_rows(f"{sys.argv[1]}.c.npy", "<f4", c)
