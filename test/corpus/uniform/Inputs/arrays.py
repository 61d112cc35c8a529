"""Writes .npy files into the folder argv[1]: X (128 x 64 of f32), sums (of its rows), rows
(100 x 32), start (6 sequences of 100 rows, two of them empty), short (without the last end), next
(one zero), signs (16 x 2048, each 2 or -2) and normal (the same signs of 1)."""

import pathlib
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def write(name, kind, shape, values):
    npy.write(folder / f"{name}.npy", f"<{kind}4", shape, values)


write("X", "f", (128, 64), [i % 97 / 8 for i in range(128 * 64)])
write("sums", "f", (128, 1), [sum((r * 64 + c) % 97 for c in range(64)) / 8 for r in range(128)])
write("rows", "f", (100, 32), [i % 89 / 4 for i in range(100 * 32)])
write("start", "i", (7,), [0, 33, 33, 64, 65, 65, 100])
write("short", "i", (6,), [0, 33, 33, 64, 65, 65])
write("next", "i", (1,), [0])
write("signs", "f", (16, 2048), [2 - 4 * (i % 3 == 0) for i in range(16 * 2048)])
write("normal", "f", (16, 2048), [1 - 2 * (i % 3 == 0) for i in range(16 * 2048)])
