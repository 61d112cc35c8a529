"""Inputs of a launch, drawn; the files that hold them, and their elements as PyTorch's tensors."""

import numpy as np

from . import known
from .known import INTEGERS

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -3e-42, 6e-8, 65504.0, -65504.0, 3e38]
LIMITS = [0, 1, -1, 127, -128, 2**31 - 1, -2**31, 65536]
FILE_TYPES = {"f32": np.float32, "tf32": np.float32, "f16": np.float16, "i32": np.int32,
              "i8": np.int8}


def _eight_bits(dtype):
    """What each of the 256 codes means."""
    exponents, mantissa, bias = (4, 3, 7) if dtype == "e4m3" else (5, 2, 15)
    codes = np.arange(256)
    exponent, fraction = codes >> mantissa & (1 << exponents) - 1, codes & (1 << mantissa) - 1
    scale = 2.0 ** (np.maximum(exponent, 1) - bias)
    value = scale * (fraction / 2**mantissa + (exponent > 0))
    if dtype == "e4m3":
        value[codes & 127 == 127] = np.nan
    else:
        value[exponent == 31] = np.where(fraction[exponent == 31] == 0, np.inf, np.nan)
    return np.where(codes & 128, -value, value).astype(np.float32)


TABLES = {t: _eight_bits(t) for t in ("e4m3", "e5m2")}


def draw(tensor, rng, special):
    """Elements: normal numbers or small integers, in a special launch NaN, infinities, denormals
    and limits among them."""
    shape, dtype = tensor["shape"], tensor["dtype"]
    if "between" in tensor:
        return rng.integers(*tensor["between"], size=shape, endpoint=True, dtype=np.int32)
    few = special & (rng.random(shape) < 0.03)
    if dtype in INTEGERS:
        ends = np.iinfo(INTEGERS[dtype])
        some = rng.integers(-9, 9, size=shape) if rng.random() < 0.5 else rng.integers(
            ends.min, ends.max, size=shape, endpoint=True)
        return np.where(few, np.clip(rng.choice(LIMITS, shape), ends.min, ends.max), some).astype(
            INTEGERS[dtype])
    whole = rng.random() < 0.5
    some = rng.integers(-3, 3, size=shape, endpoint=True) if whole else rng.normal(size=shape)
    some = np.where(few, rng.choice(SPECIAL, shape), some.astype(np.float64))
    if dtype not in TABLES:
        return known.rounded("f32" if dtype == "tf32" else dtype, some)
    table = TABLES[dtype]
    order = np.argsort(table[:255])[:253 if dtype == "e4m3" else 247]
    ranked = table[order]
    at = np.clip(np.searchsorted(ranked, np.nan_to_num(some, nan=0.0)), 0, len(order) - 1)
    return np.where(np.isnan(some), np.float32(np.nan), ranked[at]).astype(np.float32)


def codes(dtype, value):
    """Elements as a file holds them."""
    if dtype in FILE_TYPES:
        return value.astype(FILE_TYPES[dtype])
    if dtype == "bf16":
        return (np.ascontiguousarray(value).view(np.uint32) >> 16).astype(np.uint16)
    table = TABLES[dtype]
    found = np.zeros(value.shape, np.uint8)
    for code in range(256):
        if not np.isnan(table[code]):
            same = (value == table[code]) & (np.signbit(value) == np.signbit(table[code]))
            found[same] = code
    found[np.isnan(value)] = 127
    return found


def decoded(dtype, data):
    """The opposite of `codes`."""
    if dtype in INTEGERS:
        return data
    if dtype == "bf16":
        return (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return TABLES[dtype][data.view(np.uint8)] if dtype in TABLES else data.astype(np.float32)


EXACT, UNKNOWN, UNWRITTEN = -1000, 1000, 1001


def bounds(known_output):
    """A bound as the exponent of the next power of two; a small file of it says enough."""
    error, written = known_output.data.error, known_output.written
    with np.errstate(all="ignore"):
        power = np.ceil(np.log2(error))
    power = np.where(error == 0, EXACT, np.where(np.isfinite(error), power, UNKNOWN))
    return np.where(written, power, UNWRITTEN).astype(np.int16)


def differing(want, have, powers, untouched):
    """Elements in which `have` is further from `want` than its bound, or touched though not to be
    written."""
    with np.errstate(all="ignore"):
        reach = np.where(powers == EXACT, 0.0, np.exp2(powers.astype(np.float64)))
        a, b = want.astype(np.float64), have.astype(np.float64)
        near = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= reach)
    near |= powers == UNKNOWN
    return np.where(powers == UNWRITTEN, have != untouched, ~near)


def told(want, have, powers, wrong):
    """The first of some elements that differ."""
    place = tuple(int(x) for x in np.argwhere(wrong)[0])
    bound = {EXACT: "exact", UNWRITTEN: "not to be written"}.get(
        int(powers[place]), f"within 2^{int(powers[place])}")
    return (f"{int(wrong.sum())} of {wrong.size} differ, first {list(place)}: "
            f"{have[place]} for {want[place]}, {bound}")
