"""The numbers of random.mlir as a .npy file in the folder argv[1]: of 50 x 300 elements their
random number in [0, 1), by Philox4x32-10 written down once more, and 1 more where the 32 bits of
stream 1 are negative; zeros of the same shape."""

import pathlib
import sys

import npy

SEED = (-7, 2147483647)
ROWS, COLUMNS = 50, 300
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def philox(counter, key):
    a, b, c, d = counter
    for turn in range(10):
        even, odd = a * 0xD2511F53, c * 0xCD9E8D57
        k0, k1 = (key[0] + turn * 0x9E3779B9) % 2**32, (key[1] + turn * 0xBB67AE85) % 2**32
        a, b, c, d = odd >> 32 ^ b ^ k0, odd % 2**32, even >> 32 ^ d ^ k1, even % 2**32
    return a, b, c, d


def bits(row, column, stream):
    key = [half % 2**32 for half in SEED]
    return philox((column // 4, row, stream, 0), key)[column % 4]


def write(name, values):
    npy.write(folder / f"{name}.npy", "<f4", (ROWS, COLUMNS), values)


assert philox((0, 0, 0, 0), (0, 0)) == (0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8)
places = [(r, c) for r in range(ROWS) for c in range(COLUMNS)]
write("U", [(bits(r, c, 0) >> 8) / 2**24 + (bits(r, c, 1) >> 31) for r, c in places])
write("X", [0.0] * len(places))
