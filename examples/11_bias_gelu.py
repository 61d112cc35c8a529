"""No reduction: pieces of rows are dealt out to the CTAs. With PyTorch the function may be written
in its words, torch.nn.functional.gelu(x + b) + residual; the text of the kernel is the same.

    PYTHONPATH=python python3 examples/11_bias_gelu.py
"""

import math
import random

import sluice


@sluice.fuse
def bias_gelu(x, b, residual):
    return sluice.gelu(x + b) + residual


def gelu(x):
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


random.seed(1)
rows, columns = 9, 300
x, residual = ([[random.gauss(0, 1) for _ in range(columns)] for _ in range(rows)] for _ in "xr")
b = [random.gauss(0, 1) for _ in range(columns)]
y = bias_gelu.run(x, b, residual)
error = max(abs(v - gelu(p + q) - r) for u, xs, rs in zip(y, x, residual)
            for v, p, q, r in zip(u, xs, b, rs))
print(bias_gelu.program((rows, columns), (columns,), (rows, columns), dtype="f32"))
print(f"error {error:.1e}")
raise SystemExit(error > 1e-5)
