"""Tensors of Python's float64 with a bound of what float32 may be off: the reference of what
sluice.fuse computes. An element is (value, bound)."""

import math

UNIT = 2.0 ** -22  # two units in the last place of float32: operations are within as many


class Exact:
    """rows x columns, one of them where all rows or columns are the same."""

    def __init__(self, elements):
        self.elements = elements

    def __add__(self, other):
        return _joined(self, other, lambda a, b: (a[0] + b[0], a[1] + b[1]))

    def __sub__(self, other):
        return _joined(self, other, lambda a, b: (a[0] - b[0], a[1] + b[1]))

    def __mul__(self, other):
        return _joined(self, other, lambda a, b: (
            a[0] * b[0], abs(a[0]) * b[1] + abs(b[0]) * a[1] + a[1] * b[1]))

    def __truediv__(self, other):
        return _joined(self, other, _quotient)

    def __neg__(self):
        return _each(self, lambda x: (-x[0], x[1]))

    __radd__ = __add__

    def __rmul__(self, other):
        return self * other


def exact(rows):
    return Exact([[(x, 0.0) for x in row] for row in rows])


def _rounded(x):
    value, bound = x
    bound = bound if bound < math.inf else math.inf  # also of 0 times infinity
    return value, bound + UNIT * abs(value) + 1e-44


def _each(x, fn):
    return Exact([[_rounded(fn(e)) for e in row] for row in x.elements])


def _at(x, i, j):
    if not isinstance(x, Exact):
        return float(x), abs(x) * 2.0 ** -24
    row = x.elements[i if len(x.elements) > 1 else 0]
    return row[j if len(row) > 1 else 0]


def _joined(a, b, fn, c=None):
    given = [x for x in (a, b, c) if isinstance(x, Exact)]
    rows = max(len(x.elements) for x in given)
    columns = max(len(x.elements[0]) for x in given)
    return Exact([[_rounded(fn(*(_at(x, i, j) for x in (a, b, c) if x is not None)))
                   for j in range(columns)] for i in range(rows)])


def _quotient(a, b):
    least = abs(b[0]) - b[1]
    if least <= 0:
        return 0.0, math.inf
    value = a[0] / b[0]
    return value, (a[1] + abs(value) * b[1]) / least


def _steep(fn, slope):
    """fn, and the most that it changes: slope(value, bound) times the bound."""
    return lambda x: _each(x, lambda e: (fn(e[0]), e[1] * slope(*e) if e[1] else 0.0))


exp = _steep(math.exp, lambda v, b: math.exp(v + b))
tanh = _steep(math.tanh, lambda v, b: 1.0)
erf = _steep(math.erf, lambda v, b: 1.13)
sigmoid = _steep(lambda v: 1 / (1 + math.exp(-v)), lambda v, b: 0.25)
absolute = _steep(abs, lambda v, b: 1.0)
# Of numbers from 1 on.
log = _steep(math.log, lambda v, b: 1.1)
sqrt = _steep(math.sqrt, lambda v, b: 0.6)
rsqrt = _steep(lambda v: 1 / math.sqrt(v), lambda v, b: 0.6)


def maximum(a, b):
    return _joined(a, b, lambda a, b: (max(a[0], b[0]), max(a[1], b[1])))


def minimum(a, b):
    return _joined(a, b, lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))


def where_less(a, b, x, y):
    """x where a < b, else y; not known where they are too close."""
    def chosen(a, b, x):
        apart, bound = abs(a[0] - b[0]), a[1] + b[1]
        return x[0], math.inf if bound and apart <= bound else x[1]
    taken, left = _joined(a, b, chosen, x), _joined(a, b, chosen, y)
    less = _joined(a, b, lambda a, b: (float(a[0] < b[0]), 0.0))
    return _joined(less, taken, lambda m, x, y: x if m[0] > 0.5 else y, left)


def _rows(x, fn):
    return Exact([[_rounded(fn(row))] for row in x.elements])


def sum(x):
    def total(row):
        size = math.fsum(abs(v) + b for v, b in row)
        return (math.fsum(v for v, _ in row),
                math.fsum(b for _, b in row) + size * UNIT * (8 + len(row) / 16))
    return _rows(x, total)


def mean(x):
    return sum(x) / float(len(x.elements[0]))


def var(x):
    beside = x - mean(x)
    return mean(beside * beside)


def amax(x):
    return _rows(x, lambda row: (max(v for v, _ in row), max(b for _, b in row)))


def amin(x):
    return _rows(x, lambda row: (min(v for v, _ in row), max(b for _, b in row)))
