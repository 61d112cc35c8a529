"""Of three heads of 200 tokens, [200, 3, 64] in f16: X, and Y with the tokens from 64 on doubled
whose tile of 64 has another behind it (the rows r + 64 of which are below what is left)."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(11)
TOKENS, HEADS, DEPTH = 200, 3, 64


def write(name, values):
    npy.write(folder / f"{name}.npy", "<f2", (TOKENS, HEADS, DEPTH), values)


def doubled(token):
    first = token // 64 * 64
    return token >= 64 and token - first + 64 < TOKENS - first


x = [draw.randint(-9, 9) for _ in range(TOKENS * HEADS * DEPTH)]
write("X", x)
write("Y", [2 * v if doubled(i // (HEADS * DEPTH)) else v for i, v in enumerate(x)])
