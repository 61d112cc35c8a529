"""Functions by their names, against Python's numbers."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import sluice


@sluice.fuse
def ours(x):
    return (sluice.sigmoid(x), sluice.silu(x), sluice.relu(x), sluice.gelu(x),
            sluice.gelu(x, approximate="tanh"), sluice.leaky_relu(x, 0.2), sluice.relu6(x),
            sluice.hardsigmoid(x), sluice.hardswish(x), sluice.normalize(x), x.norm(dim=-1),
            x.norm(1, -1), sluice.norm(x, math.inf, -1))


def theirs(x):
    root, gate = math.sqrt(2 / math.pi), [min(max(v + 3, 0), 6) / 6 for v in x]
    length = math.sqrt(sum(v * v for v in x))
    sigmoid = [1 / (1 + math.exp(-v)) for v in x]
    return (sigmoid, [v * s for v, s in zip(x, sigmoid)], [max(v, 0) for v in x],
            [v / 2 * (1 + math.erf(v * math.sqrt(0.5))) for v in x],
            [v / 2 * (1 + math.tanh(root * (v + 0.044715 * v ** 3))) for v in x],
            [v if v > 0 else 0.2 * v for v in x], [min(max(v, 0), 6) for v in x], gate,
            [v * g for v, g in zip(x, gate)], [v / max(length, 1e-12) for v in x], [length],
            [sum(map(abs, x))], [max(map(abs, x))])


rows = [[(j - 40) / 4 for j in range(80)], [0.0] * 80]
for i, results in enumerate(zip(*ours.run(rows))):
    for k, (got, want) in enumerate(zip(results, theirs(rows[i]))):
        for a, b in zip(got if isinstance(got, list) else [got], want):
            assert abs(a - b) <= 2e-6 * max(1, abs(b)), f"row {i}, result {k}: {a}, not {b}"


def refused(function):
    try:
        sluice.fuse(function).program((3, 64))
    except sluice.SluiceError as e:
        print(str(e).split("fuse: ")[1])


refused(lambda x: sluice.hardswish(x, inplace=True))
refused(lambda x: x.norm(3, -1))
