"""C = A B in double, of e4m3 with factors of ue8m0 for blocks of 32 along K, as .npy files in the
folder argv[1]; then the rows and columns of C, and K. B lies as [N, K]; the factors of 128 rows and
128 of K in 32 rows of 16 bytes: byte 4 i + k of row l is that of row 32 i + l and of block k (PTX
ISA 9.7.16.10.7, scale_vec::1X). With a fourth number they are those of 64 rows and no more, and C
lies as the lanes of a pair with 64 rows in each CTA have it: the first half of its columns, below
them the second."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
rows, columns, depth = map(int, sys.argv[2:5])
lines_of_piece = int(sys.argv[5]) if len(sys.argv) > 5 else 128
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(5)
steps = -(-depth // 128)


def number(bits):
    exponent, fraction = bits >> 3 & 15, bits & 7
    size = (8 + fraction) * 2.0 ** (exponent - 10) if exponent else fraction * 2.0**-9
    return -size if bits & 128 else size


def drawn(lines):
    return [[draw.randrange(0, 0x48) | draw.choice((0, 128)) for _ in range(depth)]
            for _ in range(lines)]


def factors(lines):
    """Exponents of each line and block, and the bytes as they lie."""
    tiles = -(-lines // lines_of_piece)
    of = [[draw.randrange(120, 134) for _ in range(4 * steps)] for _ in range(128 * tiles)]
    lie = [of[lines_of_piece * tile + 32 * i + l][4 * step + k]
           for tile in range(tiles) for step in range(steps) for l in range(32)
           for i in range(4) for k in range(4)]
    return of, lie, (tiles, 32 * steps, 16)


def scaled(lines, of):
    return [[number(bits) * 2.0 ** (of[r][k // 32] - 127) for k, bits in enumerate(line)]
            for r, line in enumerate(lines)]


A, B = drawn(rows), drawn(columns)
ofA, lieA, shapeA = factors(rows)
ofB, lieB, shapeB = factors(columns)
left, right = scaled(A, ofA), scaled(B, ofB)
C = [sum(x * y for x, y in zip(a, b)) for a in left for b in right]
npy.write(folder / "A.npy", "|u1", (rows, depth), [x for line in A for x in line])
npy.write(folder / "B.npy", "|u1", (columns, depth), [x for line in B for x in line])
npy.write(folder / "SA.npy", "|u1", shapeA, lieA)
npy.write(folder / "SB.npy", "|u1", shapeB, lieB)
if lines_of_piece == 64:
    half = columns // 2
    C = [C[(64 * cta + row) * columns + second * half + column]
         for cta in range(rows // 64) for second in range(2) for row in range(64)
         for column in range(half)]
    rows, columns = 2 * rows, half
npy.write(folder / "C.npy", "<f4", (rows, columns), C)
