"""One kernel of a few lines of Python: softmax of scaled scores and a mask. `scale` is given at the
launch. On tensors of PyTorch masked_softmax(x, mask) launches it; here the virtual machine does.

    PYTHONPATH=python python3 examples/09_masked_softmax.py
"""

import math
import random

import sluice


@sluice.fuse
def masked_softmax(x, mask, scale=0.125):
    return sluice.softmax(x * scale + mask, -1)


def expected(x, mask, scale):
    for row, hidden in zip(x, mask):
        scores = [a * scale + m for a, m in zip(row, hidden)]
        e = [math.exp(s - max(scores)) for s in scores]
        yield [v / sum(e) for v in e]


random.seed(1)
rows, columns = 9, 200
x = [[random.gauss(0, 8) for _ in range(columns)] for _ in range(rows)]
mask = [[0.0 if j <= 20 * i + 5 else -math.inf for j in range(columns)] for i in range(rows)]
y = masked_softmax.run(x, mask)
error = max(abs(a - b) for u, v in zip(y, expected(x, mask, 0.125)) for a, b in zip(u, v))
print(masked_softmax.plan((4096, 4096), (4096, 4096), dtype="bf16"))
print(f"error {error:.1e}")
raise SystemExit(error > 1e-6)
