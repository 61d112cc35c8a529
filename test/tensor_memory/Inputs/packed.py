"""C = A B of floats of 4, 6 and 8 bits as .npy files in the folder argv[1], a code to a byte:
argv[2] and argv[3] are the types of A and B, then the rows and columns of C, and K. B lies by
columns; Bt is the same with rows and columns exchanged. argv[7], where it is, is `mx`: each 32
numbers along K have a power of two as a factor, SA and SB, which lie as in scaled4.py. Sums are
exact."""

import pathlib
import random
import sys

import npy

folder = pathlib.Path(sys.argv[1])
types = sys.argv[2:4]
rows, columns, depth = map(int, sys.argv[4:7])
scaled = sys.argv[7:] == ["mx"]
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(11)
# bits of the exponent and of the fraction (OCP Microscaling Formats); codes that are drawn
FORMATS = {"e2m1": (2, 1), "e2m3": (2, 3), "e3m2": (3, 2), "e4m3": (4, 3), "e5m2": (5, 2)}


def number(kind, code):
    exponents, digits = FORMATS[kind]
    exponent, fraction = code >> digits & (1 << exponents) - 1, code & (1 << digits) - 1
    bias = (1 << exponents - 1) - 1
    whole = fraction + (1 << digits) if exponent else fraction
    size = whole * 2.0 ** (max(exponent, 1) - bias - digits)
    return -size if code >> exponents + digits & 1 else size


def codes(kind):
    """Of 8 bits those of 1 to 4 in size alone, so that sums are exact."""
    exponents, digits = FORMATS[kind]
    every = range(1 << 1 + exponents + digits)
    return [c for c in every if exponents + digits < 7 or 1 <= abs(number(kind, c)) < 4]


def drawn(kind, lines):
    of = codes(kind)
    return [[draw.choice(of) for _ in range(depth)] for _ in range(lines)]


def factors(lines):
    tiles, steps = -(-lines // 128), -(-depth // 128)
    of = [[draw.randrange(126, 129) for _ in range(4 * steps)] for _ in range(128 * tiles)]
    lie = [of[128 * tile + 32 * i + l][4 * step + k]
           for tile in range(tiles) for step in range(steps) for l in range(32)
           for i in range(4) for k in range(4)]
    return of, lie, (tiles, 32 * steps, 16)


def numbers(kind, lines, of):
    return [[number(kind, code) * (2.0 ** (of[r][k // 32] - 127) if scaled else 1.0)
             for k, code in enumerate(line)] for r, line in enumerate(lines)]


A, B = drawn(types[0], rows), drawn(types[1], columns)
ofA, lieA, shapeA = factors(rows)
ofB, lieB, shapeB = factors(columns)
left, right = numbers(types[0], A, ofA), numbers(types[1], B, ofB)
C = [sum(x * y for x, y in zip(a, b)) for a in left for b in right]
npy.write(folder / "A.npy", "|u1", (rows, depth), [c for line in A for c in line])
npy.write(folder / "B.npy", "|u1", (depth, columns), [c for line in B for c in line], fortran=True)
npy.write(folder / "Bt.npy", "|u1", (columns, depth), [c for line in B for c in line])
npy.write(folder / "C.npy", "<f4", (rows, columns), C)
if scaled:
    npy.write(folder / "SA.npy", "|u1", shapeA, lieA)
    npy.write(folder / "SB.npy", "|u1", shapeB, lieB)
