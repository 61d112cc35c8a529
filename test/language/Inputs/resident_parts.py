"""Tensors Q (40 x 128) and K (50 x 128) of f16 as .npy files in the folder argv[1], and
W = 2^(Q K^T / 8) of f32: what Transform/resident_parts.mlir makes of them."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(3)
queries, keys, depth = 40, 50, 128


def quarters():  # f16 holds them
    return [draw.randint(-4, 4) / 4 for _ in range(depth)]


q, k = [quarters() for _ in range(queries)], [quarters() for _ in range(keys)]
w = [2 ** (sum(x * y for x, y in zip(a, b)) / 8) for a in q for b in k]
npy.write(folder / "Q.npy", "<f2", (queries, depth), [x for line in q for x in line])
npy.write(folder / "K.npy", "<f2", (keys, depth), [x for line in k for x in line])
npy.write(folder / "W.npy", "<f4", (queries, keys), w)
