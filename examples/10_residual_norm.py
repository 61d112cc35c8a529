"""Several results, a vector that all rows share, and rows too long for a warp: two passes over
their pieces, or the warps of a CTA together.

    PYTHONPATH=python python3 examples/10_residual_norm.py
"""

import math
import random

import sluice


@sluice.fuse
def residual_norm(x, residual, w, eps=1e-6):
    total = x + residual
    scale = sluice.rsqrt(sluice.mean(total * total, -1, keepdim=True) + eps)
    return total * scale * w, total


def expected(x, residual, w):
    for row, more in zip(x, residual):
        total = [a + b for a, b in zip(row, more)]
        scale = 1 / math.sqrt(sum(t * t for t in total) / len(total) + 1e-6)
        yield [t * scale * v for t, v in zip(total, w)]


random.seed(1)
rows, columns = 5, 300
x, residual = ([[random.gauss(0, 1) for _ in range(columns)] for _ in range(rows)] for _ in "xr")
w = [random.gauss(0, 1) for _ in range(columns)]
y, total = residual_norm.run(x, residual, w)
error = max(abs(a - b) for u, v in zip(y, expected(x, residual, w)) for a, b in zip(u, v))
for shape in ((4096, 1024), (64, 4096), (4096, 16384), (4096, 5001)):
    print(shape, residual_norm.plan(shape, shape, shape[1:], dtype="bf16"))
print(f"error {error:.1e}")
raise SystemExit(error > 1e-5)
