"""zeros.py FILE ROWS COLUMNS: an .npy file of f16."""

import sys

import npy

rows, columns = (int(n) for n in sys.argv[2:])
npy.write(sys.argv[1], "<f2", (rows, columns), [0.0] * (rows * columns))
