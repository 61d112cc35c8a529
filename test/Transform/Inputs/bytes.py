"""x.npy, integers of 8 bits, and twice.npy, what they are doubled, wrapped around, in a folder."""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
rows, columns = 19, 200


def write(name, values):
    head = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    (folder / f"{name}.npy").write_bytes(start + struct.pack(f"<{len(values)}b", *values))


x = [n % 256 - 128 for n in range(rows * columns)]
write("x", x)
write("twice", [(2 * n + 128) % 256 - 128 for n in x])
