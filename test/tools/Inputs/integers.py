"""integers.py FILE N ...: an .npy file of one dimension with these 32-bit integers."""

import sys

import npy

values = [int(n) for n in sys.argv[2:]]
npy.write(sys.argv[1], "<i4", (len(values),), values)
