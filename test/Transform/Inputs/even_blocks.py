"""A (130 x 328) and B (328 x 72) of small whole numbers in f16, and C (f32): their product over
every other block of 64 columns of A, as .npy files argv[1].a.npy, .b.npy and .c.npy."""

import random
import struct
import sys

draw = random.Random(1)


def write(name, kind, rows):
    shape = (len(rows), len(rows[0]))
    head = f"{{'descr': '<f{struct.calcsize(kind)}', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    data = struct.pack(f"<{shape[0] * shape[1]}{kind}", *[v for row in rows for v in row])
    with open(f"{sys.argv[1]}.{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def matrix(rows, columns):
    return [[draw.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]


a, b = matrix(130, 328), matrix(328, 72)
taken = [k for k in range(328) if k // 64 % 2 == 0]
write("a", "e", a)
write("b", "e", b)
write("c", "f", [[sum(row[k] * b[k][j] for k in taken) for j in range(72)] for row in a])
