"""Products of rows, truth values of elements and of rows, and choices by them."""

import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import sluice
from sluice import _rows

draw = random.Random(1)


@sluice.fuse
def ours(x, z):
    other = (x > z).any(-1, True)  # one truth value a row
    return (x.prod(-1), sluice.where(other, x, z), (x > -2.0).all(-1).to("f32"),
            sluice.isinf(z).any(-1).to("f32"), sluice.where(sluice.isfinite(z), z, 0.0),
            sluice.where((x.amin(-1) > 0.0) & ~other.squeeze(-1), x.amax(-1), x.any(-1).to("f32")))


def theirs(x, z):
    other = any(a > b for a, b in zip(x, z))
    return ([math.prod(x)], x if other else z, [min(x) > -2], [any(map(math.isinf, z))],
            [v if math.isfinite(v) else 0 for v in z],
            [max(x) if min(x) > 0 and not other else any(x)])


def check(columns):
    x = [[1 + draw.gauss(0, 1) / columns for _ in range(columns)] for _ in range(3)]
    z = [[draw.gauss(0, 0.1) for _ in range(columns)] for _ in range(3)]
    x += [[0.0] * columns, [2.0] * columns]
    z += [[1.0] * columns, [3.0] * columns]
    x[1][columns // 2], z[1][-1], z[2][0] = -5.0, math.inf, math.nan
    for i, results in enumerate(zip(*ours.run(x, z))):
        for k, (got, want) in enumerate(zip(results, theirs(x[i], z[i]))):
            for a, b in zip(got if isinstance(got, list) else [got], want):
                close = a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= 1e-5 * abs(b)
                assert close or b > 1e38, f"{columns} columns, row {i}, result {k}: {a}, not {b}"
    shape = len(x), columns
    print(columns, "columns:", ours.plan(shape, shape, dtype="f32").split(":")[0])


try:
    sluice.fuse(lambda x: x.any()).program((3, 64))
except sluice.SluiceError as e:
    print(str(e).split("fuse: ")[1])
check(70)
check(2048)
_rows._REGISTERS = _rows._SHARED_REGISTERS = 0
check(300)
