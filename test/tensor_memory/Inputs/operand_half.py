"""A and B of small integers and their product as .npy files in the folder argv[1], for one pair of
CTAs with 64 rows of A each; B lies as [N, K], N is 128, argv[2] is K. C has the 64 rows of a CTA,
of the first 64 columns and below them of the others, then those of the other CTA."""

import pathlib
import random
import sys

import npy

folder, depth = pathlib.Path(sys.argv[1]), int(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(7)
A, B = ([[float(draw.randrange(-4, 5)) for _ in range(depth)] for _ in range(128)] for _ in "AB")
C = [[sum(x * y for x, y in zip(A[64 * cta + row], B[64 * half + column])) for column in range(64)]
     for cta in range(2) for half in range(2) for row in range(64)]
for name, matrix in (("A", A), ("B", B), ("C", C)):
    npy.write_rows(folder / f"{name}.npy", "<f4", matrix)
