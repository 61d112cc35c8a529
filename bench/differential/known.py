"""Values as docs/semantics.md says them, with a bound on how far another machine may be from them.

A bound is None where every machine computes the same bits, else one number an element, in float64;
infinite: nothing is known. Values of every float type are float32, which holds them all.
"""

import dataclasses

import numpy as np

FLOATS = ("f32", "f16", "bf16", "tf32", "e4m3", "e5m2")
MANTISSA = {"f32": 23, "f16": 10, "bf16": 7, "tf32": 23}
TINY = {"f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133, "tf32": 2.0**-149}
LARGEST = {"f32": 3.4028234e38, "f16": 65504.0, "bf16": 3.3895e38, "tf32": 3.4028234e38}
INTEGERS = {"i1": bool, "i8": np.int8, "i32": np.int32, "index": np.int64}
SIZE = {"f32": 4, "tf32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "e4m3": 1, "e5m2": 1}


@dataclasses.dataclass
class Known:
    """Elements of one type."""
    dtype: str
    value: np.ndarray
    error: np.ndarray | None = None

    def bound(self):
        return np.zeros(self.value.shape) if self.error is None else self.error

    def map(self, change):
        """The same change of places to values and bounds: a box, a transposition."""
        return Known(self.dtype, change(self.value),
                     None if self.error is None else change(self.error))


def rounded(dtype, x):
    """To the nearest of a float type, ties to even; from float64 it is one rounding."""
    x = np.asarray(x)
    if dtype == "f16":
        with np.errstate(over="ignore"):
            return x.astype(np.float16).astype(np.float32)
    narrow = x.astype(np.float32)
    if dtype != "bf16":
        return narrow
    bits = narrow.view(np.uint32)
    inexact = (narrow != x) & np.isfinite(narrow) & (bits & 1 == 0)  # rounded to odd: once in all
    towards = np.where(narrow < x, np.float32(np.inf), np.float32(-np.inf))
    narrow = np.where(inexact, np.nextafter(narrow, towards), narrow)
    bits = narrow.view(np.uint32)
    up = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(narrow), np.float32(np.nan), up.view(np.float32))


def ulp(dtype, value):
    return np.abs(value.astype(np.float64)) * 2.0**-MANTISSA[dtype] + TINY[dtype]


def settled(dtype, value, error, inputs):
    """A float whose bound is `error` where an input has one: NaN of a sure NaN is sure, what may be
    beyond the range of the type is not."""
    if all(x.error is None for x in inputs):
        return Known(dtype, value)
    touched = np.zeros(value.shape, bool)
    sure = np.zeros(value.shape, bool)
    for x in inputs:
        touched |= x.bound() > 0
        sure |= (x.bound() == 0) & np.isnan(x.value.astype(np.float64))
    error = np.where(np.isnan(error), np.inf, error + ulp(dtype, value))
    beyond = ~np.isfinite(value) | ~(np.abs(value) + error < LARGEST[dtype])
    error = np.where(beyond, np.inf, error)
    return Known(dtype, value, np.where(touched & ~(sure & np.isnan(value)), error, 0.0))


def _extreme(larger, numbers):
    """maximumf, minimumf, maxnumf, minnumf: -0 is below 0."""
    def choose(a, b):
        over_nan = (np.fmax, np.fmin) if numbers else (np.maximum, np.minimum)
        pick = over_nan[0 if larger else 1]
        zeros = (a == 0) & (b == 0)
        of_zeros = a + b if larger else -((-a) + (-b))
        return np.where(zeros, of_zeros, pick(a, b))
    return choose


BINARY = {
    "addf": (np.add, lambda a, b, v, x, y: x + y),
    "subf": (np.subtract, lambda a, b, v, x, y: x + y),
    "mulf": (np.multiply, lambda a, b, v, x, y: np.abs(a) * y + np.abs(b) * x + x * y),
    "divf": (np.divide, lambda a, b, v, x, y: np.where(
        np.abs(b) <= 2 * y, np.where(x + y > 0, np.inf, 0), (x + np.abs(v) * y) / (np.abs(b) - y))),
}
for _name, _larger, _numbers in (("maximumf", True, False), ("minimumf", False, False),
                                 ("maxnumf", True, True), ("minnumf", False, True)):
    BINARY[_name] = (_extreme(_larger, _numbers), lambda a, b, v, x, y: np.maximum(x, y))


def binary(op, dtype, a, b):
    compute, spread = BINARY[op]
    value = rounded(dtype, compute(a.value, b.value))
    error = spread(a.value.astype(np.float64), b.value.astype(np.float64), value.astype(np.float64),
                   a.bound(), b.bound())
    if op in ("maxnumf", "minnumf"):  # a sure NaN hides nothing
        unsure = (np.isnan(a.value) & (a.bound() > 0)) | (np.isnan(b.value) & (b.bound() > 0))
        error = np.where(unsure, np.inf, error)
    return settled(dtype, value, error, (a, b))


def fma(dtype, a, b, c):
    """Rounded once to f32: float64 rounded to odd first."""
    product = a.value.astype(np.float64) * b.value
    total = product + c.value
    back = total - product  # the error of the sum (Knuth)
    lost = (product - (total - back)) + (c.value - back)
    odd = total.view(np.int64) & 1 == 1
    move = np.isfinite(total) & (lost != 0) & ~odd & ~np.isnan(lost)
    total = np.where(move, np.nextafter(total, np.where(lost > 0, np.inf, -np.inf)), total)
    value = rounded(dtype, rounded("f32", total))
    error = (np.abs(a.value) * b.bound() + np.abs(b.value) * a.bound() + a.bound() * b.bound() +
             c.bound())
    return settled(dtype, value, error, (a, b, c))


def _erf(x):
    import math
    return np.vectorize(math.erf, otypes=[float])(x)


FUNCTIONS = {"exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "tanh": np.tanh,
             "erf": _erf, "rsqrt": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt}


def function(op, dtype, a):
    """All of them rise or fall all the way, so that the ends of a bound are where they are most."""
    f, x = FUNCTIONS[op], a.value.astype(np.float64)
    exact = f(x)
    value = rounded(dtype, rounded("f32", exact))
    if op == "sqrt" and a.error is None:
        return Known(dtype, value)
    error = np.maximum(np.abs(f(x + a.bound()) - exact), np.abs(f(x - a.bound()) - exact))
    error = np.where(a.bound() == 0, 0, np.where(np.isnan(error), np.inf, error))
    rounding = ulp("f32", value) + (0 if dtype == "f32" else ulp(dtype, value))
    if op == "sqrt":  # rounded to nearest: numbers apart may be rounded further apart
        error = np.where(error > 0, error + rounding, error)
    else:
        error = error + 2 * ulp("f32", value) + rounding
    sure = (a.bound() == 0) & (np.isnan(exact) | (np.abs(exact) > 3.5e38))
    beyond = ~np.isfinite(value) | (np.abs(value) + error >= LARGEST[dtype])
    return Known(dtype, value, np.where(sure, 0, np.where(beyond, np.inf, error)))


def _philox(counter, key):
    """Philox4x32-10; words in uint64 arrays."""
    low, (c0, c1, c2, c3), (k0, k1) = np.uint64(0xFFFFFFFF), counter, key
    for _ in range(10):
        even, odd = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c2 = odd >> np.uint64(32) ^ c1 ^ k0, even >> np.uint64(32) ^ c3 ^ k1
        c1, c3 = odd & low, even & low
        k0, k1 = k0 + np.uint64(0x9E3779B9) & low, k1 + np.uint64(0xBB67AE85) & low
    return c0, c1, c2, c3


def random(dtype, *places):
    """docs/semantics.md, "Random numbers": row, column, halves of the seed, stream."""
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    row, column, seed0, seed1, stream = np.broadcast_arrays(
        *(p.value.astype(np.int64).view(np.uint64) for p in places))
    words = _philox(((column & low) >> np.uint64(2), row & low, stream & low, stream >> high),
                    (seed0 & low, seed1 & low))
    bits = np.choose((column & np.uint64(3)).astype(np.int64), words).astype(np.uint32)
    value = bits.view(np.int32) if dtype == "i32" else (
        (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24))
    if all(p.error is None for p in places):
        return Known(dtype, value)
    unsure = sum(p.bound() for p in places) > 0
    return Known(dtype, value, np.where(np.broadcast_to(unsure, value.shape), np.inf, 0.0))


def compare(relation, a, b):
    how = {"olt": np.less, "ole": np.less_equal, "ogt": np.greater, "oge": np.greater_equal,
           "oeq": np.equal, "une": np.not_equal, "slt": np.less, "sle": np.less_equal,
           "sgt": np.greater, "sge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}[relation]
    x, y = a.value, b.value
    if a.dtype == "i1":  # true is -1
        x, y = -x.astype(np.int8), -y.astype(np.int8)
    return _uncertain(Known("i1", how(x, y)), a, b)


def _uncertain(result, a, b):
    if a.error is None and b.error is None:
        return result
    reach = a.bound() + b.bound()
    apart = np.abs(a.value.astype(np.float64) - b.value.astype(np.float64))
    near = (reach > 0) & ~(apart > reach)
    for x in (a, b):  # a sure NaN decides
        near &= ~((x.bound() == 0) & np.isnan(x.value.astype(np.float64)))
    result.error = np.where(near, np.inf, 0.0)
    return result


def select(c, a, b):
    value = np.where(c.value, a.value, b.value)
    if all(x.error is None for x in (a, b, c)):
        return Known(a.dtype, value)
    error = np.where(c.value, a.bound(), b.bound())
    apart = np.abs(a.value.astype(np.float64) - b.value.astype(np.float64))
    either = np.where(np.isnan(apart), np.inf, apart) + np.maximum(a.bound(), b.bound())
    return Known(a.dtype, value, np.where(c.bound() > 0, either, error))


def integer(op, dtype, a, b):
    x, y = a.value, b.value
    if dtype == "i1":
        op = {"addi": "xori", "subi": "xori", "muli": "andi", "maxsi": "andi", "minsi": "ori"}.get(
            op, op)
    how = {"addi": np.add, "subi": np.subtract, "muli": np.multiply, "maxsi": np.maximum,
           "minsi": np.minimum, "andi": np.bitwise_and, "ori": np.bitwise_or,
           "xori": np.bitwise_xor}[op]
    value = how(x, y)
    if a.error is None and b.error is None:
        return Known(dtype, value)
    return Known(dtype, value, np.where(a.bound() + b.bound() > 0, np.inf, 0.0))


def converted(a, to):
    """extf, truncf, sitofp, fptosi, trunci, extsi, index_cast, uitofp, extui."""
    if a.dtype in FLOATS and to in FLOATS:
        return settled(to, rounded(to, a.value), a.bound(), (a,))
    if to in FLOATS:
        value = rounded(to, a.value.astype(np.float64))
        return Known(to, value, a.error)
    if a.dtype in FLOATS:
        return _to_integer(a, to)
    return Known(to, a.value.astype(INTEGERS[to]), a.error)


def _to_integer(a, to):
    ends = np.iinfo(INTEGERS[to])

    def nearest(x):
        return np.where(np.isnan(x), 0, np.clip(np.trunc(x), ends.min, ends.max)).astype(
            INTEGERS[to])
    x = a.value.astype(np.float64)
    error = None
    if a.error is not None:
        same = nearest(x - a.error) == nearest(x + a.error)
        error = np.where(same & ~np.isnan(a.error), 0.0, np.inf)
    return Known(to, nearest(x), error)


def fold(op, tile, start, element):
    """Rows folded in the order of wgmma's layout: four threads share a row."""
    tile = element(tile)
    shape = (tile.value.shape[0],)
    parts = [Known("f32", np.full(shape, start, np.float32)) for _ in range(4)]
    for i in range(tile.value.shape[1]):
        column = Known("f32", tile.value[:, i], None if tile.error is None else tile.error[:, i])
        parts[i // 2 % 4] = binary(op, "f32", parts[i // 2 % 4], column)
    halves = [binary(op, "f32", parts[0], parts[1]), binary(op, "f32", parts[2], parts[3])]
    return binary(op, "f32", *halves).map(lambda x: x[:, None])


def product(d, a, b):
    """d + a b. Exact where integers are multiplied whose sums every machine holds."""
    if a.dtype == "i8":
        total = a.value.astype(np.int64) @ b.value.astype(np.int64)
        return Known("i32", (total + d.value).astype(np.int32))
    x, y = (_multiplied(t) for t in (a, b))
    depth = x.shape[1]
    reach = np.abs(x) @ np.abs(y) + np.abs(d.value)
    value = rounded("f32", x @ y + d.value)
    narrow = a.dtype in ("e4m3", "e5m2")
    rows = (~np.isfinite(x) | (x == np.floor(x))).all(axis=1)
    columns = (~np.isfinite(y) | (y == np.floor(y))).all(axis=0)
    small = np.where(np.isfinite(x), np.abs(x), 0) @ np.where(np.isfinite(y), np.abs(y), 0)
    exact = rows[:, None] & columns & (small + np.where(
        np.isfinite(d.value), np.abs(d.value), 0) < (2.0**12 if narrow else 2.0**23))
    exact &= ~np.isfinite(d.value) | (d.value == np.floor(d.value))
    each = (depth + 2) * 2.0**-22 + (2.0**-12 * (1 + depth / 32) if narrow else 0)
    error = each * reach + 2.0**-120
    error = np.where(reach < 3e38, error, np.inf)
    error = np.where(exact, np.where(value == 0, 2.0**-149, 0), error)  # the sign of a zero
    error = error + d.bound()
    if a.error is not None or b.error is not None:
        error = error + np.abs(x) @ b.bound() + a.bound() @ np.abs(y) + a.bound() @ b.bound()
    return Known("f32", value, np.where(np.isnan(error), np.inf, error))


def _multiplied(tile):
    if tile.dtype != "tf32":
        return tile.value.astype(np.float64)
    bits = np.ascontiguousarray(tile.value).view(np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)
