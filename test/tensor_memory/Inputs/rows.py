"""X of 128 rows of four numbers, and C of what tcgen05.cp of copy_rows.ok.mlir brings to 128 lanes
(CUTLASS, the layouts of SM100_UTCCP_2x64dp128bitlw0213, lw0123 and 4x32dp128bit), as .npy files in
the folder argv[1]."""

import pathlib
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
X = [[float(4 * i + j) for j in range(4)] for i in range(128)]
C = [X[l] + X[l % 64] + X[64 + l // 64 * 32 + l % 32] + X[32 + l % 32] for l in range(128)]
npy.write_rows(folder / "X.npy", "<f4", X)
npy.write_rows(folder / "C.npy", "<f4", C)
