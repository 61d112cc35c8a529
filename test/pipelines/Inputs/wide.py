"""X (64 x 1536) of whole numbers, six steps of 256 columns, as the .npy file argv[1]."""

import random
import sys

import npy

draw = random.Random(5)
npy.write(sys.argv[1], "<f4", (64, 1536), [draw.randint(-8, 8) for _ in range(64 * 1536)])
