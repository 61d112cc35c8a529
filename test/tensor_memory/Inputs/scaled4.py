"""C = A B of e2m1, two numbers to a byte, the first one in its lower half, with factors of blocks
along K, as .npy files in the folder argv[1]: argv[2] mx (ue8m0, of 32) or nv (ue4m3, of 16); then
the rows and columns of C, and K. B, of [K / 2, N], lies by columns. The factors of 128 rows and
four blocks are 32 rows of 16 bytes: byte 4 i + k of row l is that of row 32 i + l and of block k
(PTX ISA 9.7.16.10.7). All sums are exact."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
powers = sys.argv[2] == "mx"
rows, columns, depth = map(int, sys.argv[3:6])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(7)
SIZES = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
block = 32 if powers else 16
steps = -(-depth // (4 * block))


def drawn(lines):
    return [[draw.randrange(16) for _ in range(depth)] for _ in range(lines)]


def number(code):
    return -SIZES[code & 7] if code & 8 else SIZES[code & 7]


def factor(bits):
    if powers:
        return 2.0 ** (bits - 127)
    return (8 + (bits & 7)) * 2.0 ** ((bits >> 3) - 10)


def factors(lines):
    tiles = -(-lines // 128)
    of = [[draw.randrange(125, 130) if powers else draw.randrange(0x30, 0x48)
           for _ in range(4 * steps)] for _ in range(128 * tiles)]
    lie = [of[128 * tile + 32 * i + l][4 * step + k]
           for tile in range(tiles) for step in range(steps) for l in range(32)
           for i in range(4) for k in range(4)]
    return of, lie, (tiles, 32 * steps, 16)


def scaled(lines, of):
    return [[number(code) * factor(of[r][k // block]) for k, code in enumerate(line)]
            for r, line in enumerate(lines)]


def pairs(lines):
    return [line[k] | line[k + 1] << 4 for line in lines for k in range(0, depth, 2)]


A, B = drawn(rows), drawn(columns)
ofA, lieA, shapeA = factors(rows)
ofB, lieB, shapeB = factors(columns)
left, right = scaled(A, ofA), scaled(B, ofB)
C = [sum(x * y for x, y in zip(a, b)) for a in left for b in right]
npy.write(folder / "A.npy", "|u1", (rows, depth // 2), pairs(A))
npy.write(folder / "B.npy", "|u1", (depth // 2, columns), pairs(B), fortran=True)
npy.write(folder / "SA.npy", "|u1", shapeA, lieA)
npy.write(folder / "SB.npy", "|u1", shapeB, lieB)
npy.write(folder / "C.npy", "<f4", (rows, columns), C)
