"""zeros.py FILE ROWS COLUMNS: an .npy file of f16."""

import sys

shape = tuple(int(n) for n in sys.argv[2:])
head = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape!r}, }}"
head += " " * (63 - (len(head) + 10) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    file.write(bytes(2 * shape[0] * shape[1]))
