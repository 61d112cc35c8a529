"""dropped.py make FOLDER: ones and whole numbers of f32, 33 x 1001, as ones.npy and given.npy.
dropped.py multiply FOLDER: their products with mask.npy as expected.npy; about half of its elements
are 0, the others 2."""

import pathlib
import sys

import npy

ROWS, COLUMNS = 33, 1001
folder = pathlib.Path(sys.argv[2])


def write(name, values):
    npy.write(folder / f"{name}.npy", "<f4", (ROWS, COLUMNS), values)


given = [float(1 + i * 7919 % 101) for i in range(ROWS * COLUMNS)]
if sys.argv[1] == "make":
    write("ones", [1.0] * len(given))
    write("given", given)
else:
    mask = npy.read(folder / "mask.npy")[2]
    kept = mask.count(2.0)
    assert kept + mask.count(0.0) == len(mask) and abs(kept / len(mask) - 0.5) < 0.01, kept
    write("expected", [x * m for x, m in zip(given, mask)])
