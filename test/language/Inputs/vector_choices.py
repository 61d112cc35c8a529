"""Numbers at which comparisons differ, each with each, as .npy files in the folder argv[1], and
what Transform/vector_choices.mlir makes of them."""

import math
import operator
import pathlib
import sys

import npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
least, most = 2.0**-149, (2 - 2.0**-23) * 2.0**127  # of f32
sizes = [0.0, 1.0, least, most, math.inf, math.nan]
numbers = [sign * size for size in sizes for sign in (1, -1)]
integers = [3, 0, 63, 64, -1, 2**31 - 1, -(2**31)]
rows, columns = 90, 64
kinds = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]

count = len(numbers)
left = [numbers[i % count] for i in range(rows * columns)]
right = [numbers[i // count % count] for i in range(rows * columns)]
limits = [numbers[i % count] for i in range(rows)]
labels = [integers[i % len(integers)] for i in range(rows)]


def tests(i):
    row, column = divmod(i, columns)
    found = [kind(left[i], right[i]) for kind in kinds]
    found += [kind(left[i], limits[row]) for kind in kinds]
    found.append(column == labels[row])
    return float(sum(2**bit for bit, holds in enumerate(found) if holds))


def choice(x, y):
    return x if x >= y and x > 0.5 else 7.0 if math.isnan(y) else y


npy.write(folder / "A.npy", "<f4", (rows, columns), left)
npy.write(folder / "B.npy", "<f4", (rows, columns), right)
npy.write(folder / "limits.npy", "<f4", (rows, 1), limits)
npy.write(folder / "labels.npy", "<i4", (rows, 1), labels)
npy.write(folder / "C.npy", "<f4", (rows, columns), [tests(i) for i in range(rows * columns)])
npy.write(folder / "D.npy", "<f4", (rows, columns), [choice(*pair) for pair in zip(left, right)])
