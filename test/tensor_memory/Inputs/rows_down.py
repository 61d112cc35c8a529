"""X of 128 rows for each of argv[2] CTAs, Y of 4, and C of what tcgen05.shift and tcgen05.cp of
four rows leave in the lanes (rows-down, four-rows), as .npy files in the folder argv[1]."""

import pathlib
import sys

import npy

folder, ctas = pathlib.Path(sys.argv[1]), int(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
X = [[float(16 * i + j) for j in range(16)] for i in range(128 * ctas)]
Y = [[-float(16 * i + j + 1) for j in range(16)] for i in range(4 * ctas)]
C = [Y[l // 32] if l % 32 == 31 else X[l + 1] for l in range(128 * ctas)]
for name, rows in (("X", X), ("Y", Y), ("C", C)):
    npy.write_rows(folder / f"{name}.npy", "<f4", rows)
