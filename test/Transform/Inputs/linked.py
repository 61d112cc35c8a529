"""A list of three tiles, 0, 2, 1, as numbers of the next one: argv[1].npy; it ends with -1."""

import sys

import npy

npy.write(sys.argv[1], "<i4", (3,), [2, -1, 1])
