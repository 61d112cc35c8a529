"""Element functions drawn at random: the text of a body, and what it means."""

import math

import numpy as np

from . import known
from .known import FLOATS, INTEGERS, Known

RELATIONS = ["olt", "ole", "ogt", "oge", "oeq", "une"]
INTEGER_RELATIONS = ["slt", "sle", "sgt", "sge", "eq", "ne"]
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 1 / 3, 16777217.0, 65519.0, 3.4e38, 1e-40, math.nan,
         math.inf, -math.inf]
NUMBERS = [0, 1, -1, 3, 127, -128, 2147483647, -2147483648, 16777217]
WORDS = [0, 1, 2, 3, 5, 1023, -1, 2147483647, -2147483648, 4294967296, 1234567890123]
INTEGER_OPS = ["addi", "subi", "muli", "maxsi", "minsi", "andi", "ori", "xori"]
FLOAT_OPS = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]


class Body:
    """Lines of a body, values by type, and the steps that compute them. `places`: indices that
    random numbers may follow from; None: there are none of these here."""

    def __init__(self, kernel, arguments, outside=(), places=None):
        self.kernel, self.rng, self.lines, self.steps = kernel, kernel.rng, [], []
        self.places = places
        self.arguments = arguments
        self.values = list(arguments) + list(outside)

    def add(self, text, dtype, compute, operands):
        name = self.kernel.fresh("e")
        self.lines.append(f"{name} = {text}")
        self.steps.append((name, compute, operands))
        self.values.append((name, dtype))
        return name

    def constant(self, dtype, value=None):
        rng = self.rng
        if dtype in FLOATS:
            special = rng.random() < 0.15
            number = value if value is not None else (
                rng.choice(REALS) if special else rng.uniform(-4, 4))
            exact = known.rounded(dtype, np.array([number], np.float64))
            text, content = _literal(dtype, exact), exact
        else:
            number = value if value is not None else (
                rng.choice(NUMBERS) if rng.random() < 0.3 else rng.randint(-9, 9))
            limit = np.iinfo(INTEGERS[dtype])
            number = max(limit.min, min(limit.max, number))
            text, content = str(number), np.array([number], INTEGERS[dtype])
        return self.add(f"arith.constant {text} : {dtype}", dtype,
                        lambda: Known(dtype, content.reshape(1, 1)), [])

    def converted(self, name, source, to):
        if source == to:
            return name
        for op, result in conversions(source, to):
            text = f"arith.{op} {name} : {source} to {result}"
            name = self.add(text, result, lambda x, r=result: known.converted(x, r), [name])
            source = result
        return name

    def any(self, dtype):
        """A value of the type: one of it, the last ones more often, or another converted."""
        rng = self.rng
        same = [n for n, t in self.values if t == dtype]
        if same and rng.random() < 0.75:
            return rng.choice(same[-3:] if rng.random() < 0.6 else same)
        if rng.random() < 0.25:
            return self.constant(dtype)
        name, source = rng.choice(self.values)
        return self.converted(name, source, dtype)

    def truth(self, dtype):
        if self.rng.random() < 0.2 and any(t == "i1" for _, t in self.values):
            a, b = (self.rng.choice([n for n, t in self.values if t == "i1"]) for _ in "ab")
            op = self.rng.choice(["andi", "ori", "xori"])
            return self.add(f"arith.{op} {a}, {b} : i1", "i1",
                            lambda x, y: known.integer(op, "i1", x, y), [a, b])
        a, b = self.any(dtype), self.any(dtype)
        relation = self.rng.choice(RELATIONS if dtype in FLOATS else INTEGER_RELATIONS)
        op = "cmpf" if dtype in FLOATS else "cmpi"
        return self.add(f"arith.{op} {relation}, {a}, {b} : {dtype}", "i1",
                        lambda x, y: known.compare(relation, x, y), [a, b])

    def operation(self, dtype):
        """One more value of the type."""
        rng = self.rng
        if self.places is not None and dtype in ("f32", "i32") and rng.random() < 0.12:
            return self.random(dtype)
        if rng.random() < 0.15:
            c, a, b = self.truth(rng.choice([dtype, "f32"])), self.any(dtype), self.any(dtype)
            return self.add(f"arith.select {c}, {a}, {b} : {dtype}", dtype, known.select, [c, a, b])
        a = self.any(dtype)
        if dtype not in FLOATS:
            b, op = self.any(dtype), rng.choice(INTEGER_OPS)
            return self.add(f"arith.{op} {a}, {b} : {dtype}", dtype,
                            lambda x, y: known.integer(op, dtype, x, y), [a, b])
        if rng.random() < 0.3:
            return self.unary(dtype, a)
        b = self.any(dtype)
        if rng.random() < 0.1:
            c = self.any(dtype)
            return self.add(f"math.fma {a}, {b}, {c} : {dtype}", dtype,
                            lambda x, y, z: known.fma(dtype, x, y, z), [a, b, c])
        op = rng.choice(FLOAT_OPS)
        return self.add(f"arith.{op} {a}, {b} : {dtype}", dtype,
                        lambda x, y: known.binary(op, dtype, x, y), [a, b])

    def random(self, dtype):
        """Of rows and columns, arguments and numbers; now and then of what the body computes."""
        rng, operands = self.rng, []
        for _ in range(5):
            if self.places and rng.random() < 0.7:
                operands.append(rng.choice(self.places))
            elif rng.random() < 0.3:
                operands.append(self.any("index"))
            else:
                operands.append(self.constant("index", rng.choice(WORDS)))
        row, column, seed0, seed1, stream = operands
        return self.add(f"sluice.random[{row}, {column}] seed[{seed0}, {seed1}] stream {stream} : "
                        f"{dtype}", dtype, lambda *places: known.random(dtype, *places), operands)

    def unary(self, dtype, a):
        op = self.rng.choice(["negf", "absf", "sqrt", *known.FUNCTIONS])
        if op == "negf":
            return self.add(f"arith.negf {a} : {dtype}", dtype,
                            lambda x: Known(dtype, -x.value, x.error), [a])
        if op == "absf":
            return self.add(f"math.absf {a} : {dtype}", dtype,
                            lambda x: Known(dtype, np.abs(x.value), x.error), [a])
        return self.add(f"math.{op} {a} : {dtype}", dtype,
                        lambda x: known.function(op, dtype, x), [a])

    def draw(self, results, operations):
        """Results of these types, of about so many operations."""
        for _ in range(operations):
            weights = ["f32"] * 5 + ["f16", "bf16", "i32", "i8", "index"]
            self.operation(self.rng.choice(weights + results * 3))
        return [self.converted(self.operation(t), t, t) for t in results]

    def run(self, inputs, results):
        """The results for the values of the arguments and of what is outside."""
        values = dict(inputs)
        with np.errstate(all="ignore"):
            for name, compute, operands in self.steps:
                values[name] = compute(*(values[o] for o in operands))
        return [values[r] for r in results]


def conversions(source, to):
    """Operations from one type to another, each with its result."""
    wide = {"f32": 3, "f16": 2, "bf16": 2, "index": 4, "i32": 2, "i8": 1}
    if source == "i1":
        via = [("uitofp", to)] if to in FLOATS else [("extui", "i32" if to == "index" else to)]
        return via + ([("index_cast", "index")] if to == "index" else [])
    if to == "i1":
        raise ValueError(to)
    if source in FLOATS and to in FLOATS:
        if wide[source] == wide[to]:
            return [("extf", "f32"), ("truncf", to)]
        return [("extf" if wide[to] > wide[source] else "truncf", to)]
    if source in FLOATS:
        return [("fptosi", "i32"), ("index_cast", to)] if to == "index" else [("fptosi", to)]
    if to in FLOATS:
        return ([("index_cast", "i32")] if source == "index" else []) + [("sitofp", to)]
    if "index" in (source, to):
        return [("index_cast", to)]
    return [("extsi" if wide[to] > wide[source] else "trunci", to)]


def _literal(dtype, exact):
    if np.isfinite(exact[0]) and exact[0] != 0:
        return f"{float(exact[0]):.9e}"
    bits = int(exact.view(np.uint32)[0])
    if dtype == "f16":
        return f"0x{int(exact.astype(np.float16).view(np.uint16)[0]):04X}"
    return f"0x{bits >> 16:04X}" if dtype == "bf16" else f"0x{bits:08X}"
