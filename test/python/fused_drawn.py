"""Drawn expressions, up to six operations deep, on the virtual machine against float64:
    fused_drawn.py PLAN COUNT SEED
PLAN, how rows are dealt out, is one, pieces, parts, held, short (last parts of rows) or shares
(drawn ones)."""

import math
import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "python"), str(HERE / "Inputs")]
import exact
import sluice
from sluice import _rows

plan, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print("seed", seed)
draw = random.Random(seed)


ours = {"exp": sluice.exp, "tanh": sluice.tanh, "erf": sluice.erf, "sigmoid": sluice.sigmoid,
        "abs": sluice.abs, "log": sluice.log, "sqrt": sluice.sqrt, "rsqrt": sluice.rsqrt,
        "max": sluice.maximum, "min": sluice.minimum,
        "where": lambda a, b, x, y: sluice.where(a < b, x, y),
        "sum": lambda x: sluice.sum(x, -1, True), "mean": lambda x: sluice.mean(x, -1, True),
        "var": lambda x: sluice.var(x, -1, False, True),
        "amax": lambda x: sluice.amax(x, -1, True), "amin": lambda x: sluice.amin(x, -1, True)}
theirs = {"exp": exact.exp, "tanh": exact.tanh, "erf": exact.erf, "sigmoid": exact.sigmoid,
          "abs": exact.absolute, "log": exact.log, "sqrt": exact.sqrt, "rsqrt": exact.rsqrt,
          "max": exact.maximum, "min": exact.minimum, "where": exact.where_less, "sum": exact.sum,
          "mean": exact.mean, "var": exact.var, "amax": exact.amax, "amin": exact.amin}


def expression(depth, kind):
    """A tree of one of the kinds full, row and any (a tensor of columns too)."""
    if depth == 0:
        return {"full": lambda: draw.choice("xz"), "row": lambda: "c",
                "any": lambda: draw.choice("xzxzwc")}[kind]()
    below = lambda k: expression(draw.randrange(depth), k)
    first = lambda k: expression(depth - 1, k)
    if kind == "row" or (kind == "any" and draw.random() < 0.3):
        op = draw.choice(["sum", "mean", "var", "amax", "amin", "row", "softened"])
        if op == "row":
            return (draw.choice(["add", "sub", "mul"]), first("row"), below("row"))
        if op == "softened":  # what one pass finds beside the largest
            return ("softened", first("full"))
        return (op, first("full"))
    op = draw.choice(["add", "sub", "mul", "add", "sub", "mul", "bounded", "div", "max", "min",
                      "where", "exp", "tanh", "erf", "sigmoid", "abs", "log", "sqrt", "rsqrt",
                      "number", "centred", "softmax"])
    if op in ("add", "sub", "mul", "div", "max", "min"):
        return (op, first("full"), below("any"))
    if op == "where":
        return (op, below("any"), below("full"), first("full"), below("any"))
    if op == "number":
        return (op, first("full"), round(draw.uniform(-2, 2), 3))
    return (op, first("full"))


def value(tree, f, tensors):
    """Of the tree, with the functions of one side; what might grow is bounded first."""
    if isinstance(tree, str):
        return tensors[tree]
    op, *of = tree
    of = [value(t, f, tensors) if not isinstance(t, float) else t for t in of]
    x = of[0]
    if op in ("add", "sub", "mul", "number"):
        y = of[1]
        return x + y if op == "add" else x - y if op == "sub" else x * y
    if op == "div":
        return x / (f["abs"](of[1]) + 1.0)
    if op == "exp":
        return f["exp"](f["min"](x, 3.0))
    if op in ("log", "sqrt", "rsqrt"):
        return f[op](f["abs"](x) + 1.0)
    if op == "bounded":
        return f["max"](f["min"](x, 4.0), -4.0)
    if op == "centred":
        return x - f["mean"](x)
    if op in ("softened", "softmax"):
        e = f["exp"](x - f["amax"](x))
        return f["sum"](e) if op == "softened" else e / f["sum"](e)
    return f[op](*of)


def drawn_shape():
    rows = draw.choice([1, 2, 3, 5, 9])
    if plan == "parts":
        return draw.choice([1, 2, 3]), 8 * 4 * draw.choice([70, 128, 150])
    if plan == "held":
        return draw.choice([1, 2, 3]), 8 * 4 * draw.choice([70, 64])
    if plan == "short":  # the last parts
        return draw.choice([1, 2, 3]), draw.choice([70, 777, 1000, 2049])
    if plan == "pieces":
        return rows, draw.choice([512, 600, 777, 1024])
    if plan == "shares":
        rows = draw.choice([1, 5, 17, 41])
        if draw.random() < 0.5:
            return draw.choice([1, 3, 7]), 8 * 4 * draw.choice([64, 70])
    columns = draw.choice([1, 3, 70, 256, 300])
    return rows if columns != 3 else 256, columns  # 768 elements also make rows of 256


def rounded(x, dtype):
    """To f32, or to the nearest of bf16, ties to even."""
    bits = struct.unpack("I", struct.pack("f", x))[0]
    if dtype == "bf16":
        bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16 << 16
    return struct.unpack("f", struct.pack("I", bits))[0]


def leaves(tree):
    return {tree} if isinstance(tree, str) else set().union(
        *(leaves(t) for t in tree[1:] if not isinstance(t, float)))


def drawn_trees():
    """One result, or also one number a row."""
    full = ("add", expression(draw.randint(1, 5), "full"), "x")
    if plan in ("parts", "held", "short"):
        full = ("add", full, ("mul", ("sum", "x"), "w"))
    if draw.random() < 0.5:
        return [full]
    return [full, ("add", expression(draw.randint(1, 5), "row"), ("sum", "x"))]


def fused_of(trees, used):
    given = ", ".join(used)
    text = f"lambda {given}: tuple(value(t, ours, dict({', '.join(f'{u}={u}' for u in used)})) "
    fused = sluice.fuse(eval(text + "for t in trees)", {**globals(), "trees": trees}))
    fused.__name__ = "drawn"
    return fused


def compare(tree, result, known, dtype):
    want = value(tree, theirs, known)
    rounding = 2.0 ** -8 if dtype == "bf16" else 0
    for i, row in enumerate(result):
        for j, y in enumerate(row):
            v, bound = exact._at(want, i, j)
            bound += rounding * abs(v)
            assert abs(y - v) <= 1.01 * bound or bound == math.inf, \
                f"seed {seed}: {tree} at {i}, {j} of {dtype}: {y}, not {v}"


if plan in ("pieces", "parts"):
    _rows._REGISTERS = _rows._SHARED_REGISTERS = 0  # of a thread: no row is held
    _rows._BYTES = 1024  # of a row's piece
if plan == "short":
    _rows._REGISTERS = 0  # no warp holds a row
if plan == "shares":
    _rows._share = lambda asked: share
plans = set()
for _ in range(count):
    rows, columns = drawn_shape()
    share = draw.choice([1, 2]), draw.choice([1, 2, 4, 8]), 1  # stages, blocks, CTAs on an SM
    dtype = draw.choice(["f32", "bf16"])
    trees = drawn_trees()
    used = sorted(set().union(*map(leaves, trees)))
    shapes = {"x": (rows, columns), "z": (rows, columns), "w": (1, columns), "c": (rows, 1)}
    tensors = {u: [[rounded(draw.gauss(0, 1), dtype) for _ in range(shapes[u][1])]
                   for _ in range(shapes[u][0])] for u in used}
    fused = fused_of(trees, used)
    how, tiles = fused.plan(*(shapes[u] for u in used), dtype=dtype).split(":")
    plans.add(how + (" in shares" if "a CTA" in tiles else ""))
    got = fused.run(*tensors.values(), dtype=dtype)
    known = {u: exact.exact(t) for u, t in tensors.items()}
    for tree, result in zip(trees, got if isinstance(got, tuple) else (got,)):
        compare(tree, result, known, dtype)
print("; ".join(sorted(plans)))
