"""x.npy, integers of 8 bits, and twice.npy, what they are doubled, wrapped around, in a folder."""

import pathlib
import sys

import npy

folder = pathlib.Path(sys.argv[1])
rows, columns = 19, 200
x = [n % 256 - 128 for n in range(rows * columns)]
for name, values in (("x", x), ("twice", [(2 * n + 128) % 256 - 128 for n in x])):
    npy.write(folder / f"{name}.npy", "|i1", (rows, columns), values)
