"""Writes ones.npy, and what a device would write for `gemm` of one tile and two steps of K on ones,
printed with checksums: sums.bin, and wrong.bin, where the last slot of b has another sum."""

import struct
import sys

from npy import write

MASK = (1 << 64) - 1


def of_word(word, index):
    x = ((index << 32 | word) + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


folder = sys.argv[1]
write(f"{folder}/ones.npy", "<f2", (128, 128), [1.0] * (128 * 128))
ones = sum(of_word(0x3C003C00, i) for i in range(128 * 64 * 2 // 4)) & MASK
slots, warps = 4, 9
for name, last in (("sums", ones), ("wrong", ones ^ 1 << 40)):
    words = [slots] + [ones] * (slots - 1) + [last] + [0] * ((1 + slots) * (warps - 1))
    with open(f"{folder}/{name}.bin", "wb") as out:
        out.write(struct.pack(f"<{len(words)}Q", *words))
