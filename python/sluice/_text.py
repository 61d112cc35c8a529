"""Lines of a program at the tile level: names, constants and the bodies of element functions."""

import contextlib
import math
import re
import struct

_BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
           "maximum": "arith.maximumf", "minimum": "arith.minimumf"}
_UNARY = {"neg": "arith.negf", "abs": "math.absf",
          **{name: f"math.{name}" for name in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt",
                                               "tanh", "erf")}}
_COMPARED = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
_TRUTH = {"logical_and": "arith.andi", "logical_or": "arith.ori"}
_APPROXIMATE = ("exp", "exp2", "tanh", "erf", "div")


def _bits(value):
    try:
        return struct.pack(">f", value)
    except OverflowError:
        return struct.pack(">f", math.copysign(math.inf, value))


def number(value):
    """A constant of f32 as the language reads it: in as few digits as tell it apart."""
    bits = _bits(value)
    value = struct.unpack(">f", bits)[0]
    if not math.isfinite(value):
        return "0x" + bits.hex().upper()
    text = next(t for t in (f"{value:.{digits}g}" for digits in range(1, 10))
                if _bits(float(t)) == bits)
    mantissa, _, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + ("e" + exponent if exponent else "")


class Lines:
    """Text that grows; names in it are each given once."""

    def __init__(self):
        self.lines, self.depth, self._names, self._constants = [], 0, {}, {}

    def name(self, wish):
        wish = re.sub(r"\W", "_", wish, flags=re.ASCII) or "x"
        count = self._names[wish] = self._names.get(wish, 0) + 1
        return wish if count == 1 else self.name(f"{wish}_{count}")

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    @contextlib.contextmanager
    def body(self):
        """Deeper lines, whose names are free again behind them."""
        known = dict(self._names)
        self.depth += 1
        yield
        self.depth -= 1
        self._names = known

    def value(self, wish, text):
        """A new SSA value."""
        name = "%" + self.name(wish)
        self.put(f"{name} = {text}")
        return name

    def constant(self, value):
        """Of an index, which stays where it is asked for first: at the head of the kernel."""
        if value not in self._constants:
            self._constants[value] = self.value(f"c{value}", f"arith.constant {value} : index")
        return self._constants[value]

    def index(self, wish, op, *of):
        return self.value(wish, f"arith.{op} {', '.join(of)} : index")

    def text(self):
        return "\n".join(self.lines) + "\n"


class Body:
    """The body of a map. `leaf(node)`: the argument that has the node's value in f32, or None."""

    def __init__(self, lines, leaf, scalars, width, approximate):
        self._lines, self._leaf, self._scalars = lines, leaf, scalars
        self._width, self._approximate = width, approximate
        self._known = {}

    def of(self, node):
        """The node's value, and before it those that it is of."""
        todo = [node]
        while todo:
            n = todo[-1]
            if n.number in self._known:
                todo.pop()
                continue
            leaf = self._leaf(n)
            missing = [] if leaf else [m for m in n.of if m.number not in self._known]
            if missing:
                todo.extend(reversed(missing))
                continue
            todo.pop()
            self._known[n.number] = leaf or self._made(n, [self._known[m.number] for m in n.of])
        return self._known[node.number]

    def constant(self, value):
        return self._lines.value("c", f"arith.constant {number(value)} : f32")

    def binary(self, op, a, b):
        flags = " fastmath<contract>" if op == "mul" else ""
        flags = " fastmath<afn>" if op == "div" and self._approximate else flags
        return self._lines.value(op, f"{_BINARY[op]} {a}, {b}{flags} : f32")

    def unary(self, op, a):
        flags = " fastmath<afn>" if op in _APPROXIMATE and self._approximate else ""
        return self._lines.value(op, f"{_UNARY[op]} {a}{flags} : f32")

    def rounded(self, value, dtype):
        if dtype == "f32":
            return value
        return self._lines.value("r", f"arith.truncf {value} : f32 to {dtype}")

    def widened(self, value, dtype):
        if dtype == "f32":
            return value
        return self._lines.value("f", f"arith.extf {value} : {dtype} to f32")

    def index(self, value):
        small = self._lines.value("n", f"arith.index_cast {value} : index to i32")
        return self._lines.value("f", f"arith.sitofp {small} : i32 to f32")

    def compared(self, op, a, b):
        return self._lines.value("is", f"arith.cmpf {_COMPARED[op]}, {a}, {b} : f32")

    def selected(self, condition, a, b):
        return self._lines.value("one", f"arith.select {condition}, {a}, {b} : f32")

    def _made(self, n, of):
        put = self._lines.value
        if n.op in _BINARY:
            return self.binary(n.op, *of)
        if n.op in _UNARY:
            return self.unary(n.op, *of)
        if n.op in _COMPARED:
            return self.compared(n.op, *of)
        if n.op in _TRUTH:
            return put("is", f"{_TRUTH[n.op]} {of[0]}, {of[1]} : i1")
        if n.op == "logical_not":
            true = put("true", "arith.constant true")
            return put("not", f"arith.xori {of[0]}, {true} : i1")
        if n.op == "where":
            return self.selected(*of)
        if n.op == "round":
            return self.widened(self.rounded(of[0], n.value), n.value)
        if n.op == "constant":
            return self.constant(n.value)
        if n.op == "width":
            return self.index(self._width)
        if n.op == "argument":
            return self._scalars[n.value]
        raise AssertionError(f"no text of {n.op}")
