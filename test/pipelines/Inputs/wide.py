"""X (64 x 1536) of whole numbers, six steps of 256 columns, as the .npy file argv[1]."""
import random
import struct
import sys

draw = random.Random(5)
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 1536), }"
head += " " * (63 - (len(head) + 10) % 64) + "\n"
data = struct.pack(f"<{64 * 1536}f", *[draw.randint(-8, 8) for _ in range(64 * 1536)])
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
