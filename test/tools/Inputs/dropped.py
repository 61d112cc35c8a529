"""dropped.py make FOLDER: ones and whole numbers of f32, 33 x 1001, as ones.npy and given.npy.
dropped.py multiply FOLDER: their products with mask.npy as expected.npy; about half of its elements
are 0, the others 2."""

import pathlib
import struct
import sys

ROWS, COLUMNS = 33, 1001
folder = pathlib.Path(sys.argv[2])


def write(name, values):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({ROWS}, {COLUMNS}), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    (folder / f"{name}.npy").write_bytes(start + struct.pack(f"<{len(values)}f", *values))


def read(name):
    data = (folder / f"{name}.npy").read_bytes()
    return struct.unpack(f"<{ROWS * COLUMNS}f", data[-4 * ROWS * COLUMNS:])


given = [float(1 + i * 7919 % 101) for i in range(ROWS * COLUMNS)]
if sys.argv[1] == "make":
    write("ones", [1.0] * len(given))
    write("given", given)
else:
    mask = read("mask")
    kept = mask.count(2.0)
    assert kept + mask.count(0.0) == len(mask) and abs(kept / len(mask) - 0.5) < 0.01, kept
    write("expected", [x * m for x, m in zip(given, mask)])
