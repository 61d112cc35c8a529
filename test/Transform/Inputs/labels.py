"""labels.py STEM COLUMNS N ...: STEM.l.npy with these labels, one a row, and STEM.y.npy with 1.0 in
the column that a row's label names."""

import struct
import sys


def save(name, code, columns, values):
    shape = (len(values) // columns, columns)
    head = f"{{'descr': '<{code}4', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack(f"<{len(values)}{code}", *values))


columns, labels = int(sys.argv[2]), [int(n) for n in sys.argv[3:]]
save(sys.argv[1] + ".l.npy", "i", 1, labels)
save(sys.argv[1] + ".y.npy", "f", columns,
     [float(column == label) for label in labels for column in range(columns)])
