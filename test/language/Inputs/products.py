"""Whole numbers and their products as .npy files in the folder argv[1], for kernels of which no
reference is known: A (200 x 192), B and W (192 x 144; of f16 and i8), their products AB and AW, AB
in f16 and halved, A doubled, the sum of its three parts of 64 columns, its lower triangle with the
second part doubled, the sums of its rows, those of the first 64 with the second part counted twice,
and 2 x 2 zeros of i32; 150 numbers of rows, of which some are none of A's, the rows of A that they
name (zeros for none), twice these, and their product with B."""

import operator
import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(7)


def write(name, kind, rows, shape=None):
    descr = ("|" if kind == "i1" else "<") + kind
    values = [x for row in rows for x in row]
    npy.write(folder / f"{name}.npy", descr, shape or (len(rows), len(rows[0])), values)


def drawn(rows, columns, least, most):
    return [[draw.randint(least, most) for _ in range(columns)] for _ in range(rows)]


def product(x, y):
    columns = list(zip(*y))
    return [[sum(map(operator.mul, row, column)) for column in columns] for row in x]


a, b, w = drawn(200, 192, -3, 3), drawn(192, 144, -3, 3), drawn(192, 144, -128, 127)
ab = product(a, b)
write("A", "f2", a)
write("B", "f2", b)
write("W", "i1", w)
write("AB", "f4", ab)
write("AB16", "f2", ab)
write("AW", "f4", product(a, w))
write("halved", "f4", [[x / 2 for x in row] for row in ab])
write("doubled", "f2", [[2 * x for x in row] for row in a])
write("folded", "f4", [[x + y + z for x, y, z in zip(r, r[64:], r[128:])] for r in a])
lower = [[x * (1 + j // 64 % 2) * (j <= i) for j, x in enumerate(r)] for i, r in enumerate(a)]
write("lower", "f2", lower)
write("sums", "f4", [[sum(row)] for row in a])
write("uneven", "f4", [[sum(row) + sum(row[64:128])] for row in a[:64]])
write("zeros", "i4", [[0, 0], [0, 0]])
numbers = [draw.randint(-2, 205) for _ in range(150)]
write("numbers", "i4", [numbers], (150,))


def taken_of(rows):
    return [rows[n] if 0 <= n < 200 else [0] * len(rows[0]) for n in numbers]


taken = taken_of(a)
write("taken", "f2", taken)
write("taken2", "f2", [[2 * x for x in row] for row in taken])
write("takenB", "f4", taken_of(ab))
