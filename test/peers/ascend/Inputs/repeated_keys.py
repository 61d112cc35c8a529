"""One head of attention, as .npy files in the folder argv[1]: Q (1 x 128 x 128), K and V (1 x 1 x
1792 x 128) of f16, each tile of 128 keys made of two that stand there 64 times, the larger ones
last, and O = softmax(Q K^T / sqrt(128)) V in double, which 28 keys say."""

import math
import pathlib
import random
import struct
import sys

import npy

folder, depth, tiles = pathlib.Path(sys.argv[1]), 128, 14
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)


def drawn(scale):
    values = [draw.gauss(0, scale) for _ in range(depth)]
    return list(struct.unpack(f"<{depth}e", struct.pack(f"<{depth}e", *values)))


def write(name, shape, rows):
    npy.write(folder / f"{name}.npy", "<f2", shape, [x for row in rows for x in row])


def attended(query):
    scores = [sum(a * b for a, b in zip(query, k)) / math.sqrt(depth) for k in keys]
    weights = [math.exp(s - max(scores)) for s in scores]
    return [sum(w * x for w, x in zip(weights, column)) / sum(weights) for column in zip(*values)]


queries = [drawn(1) for _ in range(128)]
keys = [drawn(0.3 + tile / tiles / 2) for tile in range(tiles) for _ in range(2)]
values = [drawn(1) for _ in keys]
write("Q", (1, 128, depth), queries)
for name, rows in (("K", keys), ("V", values)):
    write(name, (1, 1, 128 * tiles, depth), [row for row in rows for _ in range(64)])
write("O", (1, 128, depth), [attended(query) for query in queries])
