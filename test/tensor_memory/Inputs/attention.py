"""Attention of one head: Q (of so many queries), K and V (of so many keys) of f16 and O = softmax(Q
K^T / sqrt(depth)) V in double, as .npy files in the folder argv[1]; then queries, keys, depth, and
whether it is causal (the last query sees all keys)."""

import math
import operator
import pathlib
import random
import struct
import sys

import npy

folder = pathlib.Path(sys.argv[1])
queries, keys, depth = map(int, sys.argv[2:5])
causal = sys.argv[5:] == ["causal"]
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(7)


def drawn(rows):
    values = [[draw.gauss(0, 1) for _ in range(depth)] for _ in range(rows)]
    form = f"<{depth}e"
    return [list(struct.unpack(form, struct.pack(form, *row))) for row in values]


def dot(a, b):
    return sum(map(operator.mul, a, b))


def attended(query, ks, columns):
    scores = [dot(query, k) / math.sqrt(depth) for k in ks]
    if not scores:
        return [0.0] * depth
    most = max(scores)
    weights = [math.exp(s - most) for s in scores]
    total = sum(weights)
    return [dot(weights, column) / total for column in columns]


Q, K, V = drawn(queries), drawn(keys), drawn(keys)
columns = list(zip(*V))
for name, rows in {"Q": Q, "K": K, "V": V}.items():
    npy.write(folder / f"{name}.npy", "<f2", (len(rows), depth), [x for row in rows for x in row])
O = []
for number, row in enumerate(Q):
    seen = keys - queries + number + 1 if causal else keys
    O.append(attended(row, K[:seen], [c[:seen] for c in columns] if causal else columns))
npy.write(folder / "O.npy", "<f2", (queries, depth), [x for row in O for x in row])
