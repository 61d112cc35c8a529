"""Attention of a few heads: Q (of so many queries), K and V (of so many keys) of f16, and O =
softmax(Q K^T / sqrt(128)) V of each head in double, as .npy files in the folder argv[1]."""

import math
import pathlib
import random
import struct
import sys

import npy

folder, depth = pathlib.Path(sys.argv[1]), 128
queries, keys, heads = map(int, sys.argv[2:5])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(7)


def rounded(values):
    return list(struct.unpack(f"<{len(values)}e", struct.pack(f"<{len(values)}e", *values)))


def drawn(rows):
    return [[rounded([draw.gauss(0, 1) for _ in range(depth)]) for _ in range(heads)]
            for _ in range(rows)]


def write(name, rows):
    values = [x for row in rows for head_row in row for x in head_row]
    npy.write(folder / f"{name}.npy", "<f2", (len(rows), heads, depth), values)


def attended(query, ks, vs):
    scores = [sum(a * b for a, b in zip(query, k)) / math.sqrt(depth) for k in ks]
    most = max(scores)
    weights = [math.exp(s - most) for s in scores]
    total = sum(weights)
    return [sum(w * x for w, x in zip(weights, column)) / total for column in zip(*vs)]


Q, K, V = drawn(queries), drawn(keys), drawn(keys)
write("Q", Q)
write("K", K)
write("V", V)
write("O", [[attended(row[h], [k[h] for k in K], [v[h] for v in V]) for h in range(heads)]
            for row in Q])
