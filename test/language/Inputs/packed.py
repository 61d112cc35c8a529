"""Sequences of 150 and 70 rows of f16, packed, as .npy files in the folder argv[1]: Q, K and V
(220 x 128), where each begins (start), the blocks of 128 queries (work), and O = softmax(Q K^T /
sqrt(128)) V of each, where a row sees the keys up to its own."""

import math
import pathlib
import random
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(11)


def write(name, kind, rows, vector=False):
    shape = (len(rows),) if vector else (len(rows), len(rows[0]))
    head = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    values = rows if vector else [x for row in rows for x in row]
    data = struct.pack(f"<{len(values)}{'e' if kind == 'f2' else 'i'}", *values)
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    (folder / f"{name}.npy").write_bytes(start + data)


def seen(i, q, k, v):
    scores = [sum(x * y for x, y in zip(q, key)) / math.sqrt(128) for key in k[: i + 1]]
    most = max(scores)
    weights = [math.exp(s - most) for s in scores]
    total = sum(weights)
    return [sum(w * x for w, x in zip(weights, c)) / total for c in zip(*v[: i + 1])]


lengths, total = (150, 70), 220
q, k, v = [[[draw.randint(-8, 8) / 8 for _ in range(128)] for _ in range(total)] for _ in "qkv"]
start = [0, lengths[0], total]
o = []
for begin, end in zip(start, start[1:]):
    o += [seen(i, q[begin + i], k[begin:end], v[begin:end]) for i in range(end - begin)]
for name, rows in (("Q", q), ("K", k), ("V", v), ("O", o)):
    write(name, "f2", rows)
write("start", "i4", start, vector=True)
write("work", "i4", [[0, 0], [0, 1], [1, 0]])
