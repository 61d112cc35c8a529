"""Four sequences one after the other, of 200, 0, 13 and 200 tokens, d = 128, f16: Q, K, V and what
causal attention makes of each, O; where they start, and the blocks of 128 queries, a row each."""

import math
import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)
LENGTHS, DEPTH = [200, 0, 13, 200], 128


def matrix():
    return [[draw.randint(-8, 8) / 8 for _ in range(DEPTH)] for _ in range(sum(LENGTHS))]


def attended(query, keys, values):
    scores = [sum(x * y for x, y in zip(query, key)) / math.sqrt(DEPTH) for key in keys]
    most = max(scores)
    weights = [math.exp(s - most) for s in scores]
    total = sum(weights)
    return [sum(w * v[j] for w, v in zip(weights, values)) / total for j in range(DEPTH)]


q, k, v = matrix(), matrix(), matrix()
starts, blocks, out = [0], [], []
for number, length in enumerate(LENGTHS):
    first = starts[-1]
    starts.append(first + length)
    blocks += [(number, block) for block in range((length + 127) // 128)]
    out += [attended(q[first + i], k[first:first + i + 1], v[first:first + i + 1])
            for i in range(length)]
for name, rows in (("Q", q), ("K", k), ("V", v), ("O", out)):
    npy.write_rows(folder / f"{name}.npy", "<f2", rows)
npy.write(folder / "start.npy", "<i4", (len(starts),), starts)
npy.write_rows(folder / "work.npy", "<i4", blocks)
