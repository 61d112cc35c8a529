"""Writes .npy files into the folder argv[1]: done (32 x 32 ones of i32), X (6400 x 32 of f32),
threes (12800 x 32) and rows (51200 x 32)."""

import pathlib
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
npy.write(folder / "done.npy", "<i4", (32, 32), [1] * (32 * 32))
npy.write(folder / "X.npy", "<f4", (6400, 32), [i % 1021 / 4 for i in range(6400 * 32)])
npy.write(folder / "threes.npy", "<f4", (12800, 32), [3] * (12800 * 32))
npy.write(folder / "rows.npy", "<f4", (51200, 32), [i % 1021 / 4 for i in range(51200 * 32)])
