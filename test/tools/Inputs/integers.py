"""integers.py FILE N ...: an .npy file of one dimension with these 32-bit integers."""

import struct
import sys

values = [int(n) for n in sys.argv[2:]]
head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}"
head += " " * (63 - (len(head) + 10) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
    file.write(struct.pack(f"<{len(values)}i", *values))
