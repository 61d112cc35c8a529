"""Attention over blocks of keys."""

from . import known
from .parts import loop_options


def softmax(kernel):
    """Attention over blocks of keys: maximum, sum and result are carried through the loop."""
    rng = kernel.rng
    dtype, tile = rng.choice(["f16", "bf16"]), rng.choice([64, 128])
    block, head = rng.choice([32, 64, 128]), rng.choice([32, 64])
    rows, keys = rng.choice([1, 64, 77, 200]), rng.choice([0, 1, 64, 100, 200])
    for n, extent in (("A", rows), ("K", keys), ("B", keys)):
        kernel.tensor(n, [extent, head], dtype, align=rng.random() < 0.9)
    kernel.tensor("Y", [rows, head], rng.choice(["f32", "f16", "bf16"]), out=True)
    options = rng.choice(["", "", " {persistent}"])
    i, = kernel.grid([kernel.scalar("ceildivsi", kernel.dim("A", 0), kernel.constant(tile))],
                     options)
    row, zero = kernel.times(i, tile), kernel.constant(0)
    q = kernel.load("A", [row, zero], (tile, head))
    most, total, acc = (kernel.alloc((tile, n), "f32", s) for n, s in ((1, "most"), (1, "total"),
                                                                        (head, "acc")))
    kernel.fill(most, "-1.0e+30")
    kernel.fill(total, "0.0")
    kernel.fill(acc, "0.0")
    steps = kernel.scalar("ceildivsi", kernel.dim("K", 0), kernel.constant(block))
    with kernel.loop(zero, steps, kernel.constant(1), loop_options(rng)[1]) as t:
        attended(kernel, (q, most, total, acc), kernel.times(t, block), (tile, block, head))
    out = kernel.alloc((tile, head), kernel.tensors["Y"]["dtype"], "m")
    guard = rng.random() < 0.5

    def divided(body):
        (x, _), (s, _) = body.arguments[:2]
        if guard:
            one = body.constant("f32", 1.0)
            s = body.add(f"arith.maximumf {s}, {one} : f32", "f32",
                         lambda a, b: known.binary("maximumf", "f32", a, b), [s, one])
        quotient = body.add(f"arith.divf {x}, {s} : f32", "f32",
                            lambda a, b: known.binary("divf", "f32", a, b), [x, s])
        return [body.converted(quotient, "f32", kernel.tensors["Y"]["dtype"])]
    kernel.map([acc, total], [out], divided)
    kernel.store(out, "Y", [row, zero])


def attended(kernel, state, at, sizes):
    """One block of keys and values."""
    q, most, total, acc = state
    tile, block, head = sizes
    dtype, zero = kernel.tensors["A"]["dtype"], kernel.constant(0)
    keys = kernel.transpose(kernel.load("K", [at, zero], (block, head)))
    s = kernel.alloc((tile, block), "f32", "s")
    kernel.fill(s, "0.0")
    kernel.mma(s, q, keys)
    top = kernel.reduce(s, "maxnumf", "-1.0e+30")
    new = kernel.alloc((tile, 1), "f32", "new")
    kernel.map([most, top], [new], lambda b: [_two(b, "maximumf")])
    factor = kernel.alloc((tile, 1), "f32", "factor")
    kernel.map([most, new], [factor], lambda b: [_function(b, "exp", _two(b, "subf"))])
    p = kernel.alloc((tile, block), "f32", "p")
    kernel.map([s, new], [p], lambda b: [_function(b, "exp", _two(b, "subf"))])
    row_sum = kernel.reduce(p, "addf", "0.0")
    kernel.map([total, factor, row_sum], [total], _advanced)
    kernel.map([acc, factor], [acc], lambda b: [_two(b, "mulf")])
    narrow = kernel.alloc((tile, block), dtype, "narrow")
    kernel.map([p], [narrow], lambda b: [b.converted(b.arguments[0][0], "f32", dtype)])
    values = kernel.load("B", [at, zero], (block, head))
    kernel.mma(acc, narrow, values)
    kernel.map([new], [most], lambda b: [b.arguments[0][0]])


def _two(body, op, names=None):
    a, b = names or (body.arguments[0][0], body.arguments[1][0])
    return body.add(f"arith.{op} {a}, {b} : f32", "f32",
                    lambda x, y: known.binary(op, "f32", x, y), [a, b])


def _function(body, op, a):
    return body.add(f"math.{op} {a} : f32", "f32", lambda x: known.function(op, "f32", x), [a])


def _advanced(body):
    total, factor, row_sum = (n for n, _ in body.arguments[:3])
    return [_two(body, "addf", (_two(body, "mulf", (total, factor)), row_sum))]
