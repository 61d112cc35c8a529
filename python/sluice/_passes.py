"""What a pass over the pieces of rows keeps: one number a row, or two that belong together."""

import math

from ._program import _LOWEST, Result


class _Fold:
    """A sum, or what is largest or smallest, so far."""

    def __init__(self, program, node):
        self.p, self.node = program, node
        start = {"sum": 0.0, "max": -math.inf, "min": math.inf}[node.op]
        self.state = program.filled(node.op, start)

    def add(self, backwards):
        p, op = self.p, self.node.op
        more = p.folded(op, self.node.of[0], "of_piece")
        join = {"sum": "add", "max": "maximum", "min": "minimum"}[op]
        p.numbers(op, [self.state, more], lambda b, was, new: b.binary(join, was, new), self.state)

    def end(self):
        self.p.tiles[self.node.number] = self.p.join(self.node.op, self.state,
                                                     self.node.op + "_of_row")


class _Exponentials:
    """The largest number so far, and the sum of exp(a - largest)."""

    def __init__(self, program, node):
        self.p, self.node, self.a = program, node, node.of[0]
        self.largest = program.filled("largest", -math.inf)
        self.sum = program.filled("sum", 0.0)

    def _finite(self, b, x):
        """-inf less itself is none: exponentials of it are zero beside any number."""
        return b.binary("maximum", x, b.constant(_LOWEST))

    def add(self, backwards):
        p = self.p
        p.rows_ahead([self.a])
        seen = p.map([Result(self.a, "seen", outside=float("-inf"))], p.plan.rows,
                     p.plan.columns)[0]
        more = p.fold("max", seen, "of_piece")
        most = p.numbers("most", [self.largest, more],
                         lambda b, was, new: b.binary("maximum", was, new))
        base = p.numbers("base", [most], self._finite)
        e = p.alloc("e", p.plan.rows, p.plan.columns, "f32")
        p._map([(None, seen), (None, base)], [e], lambda b, argument, _: [
            b.unary("exp", b.binary("sub", argument(0), argument(1)))])
        added = p.fold("sum", e, "added")
        p.numbers("sum", [self.sum, self.largest, base, added], self._moved, self.sum)
        p.out.put(f"sluice.copy {most.ssa} to {self.largest.ssa} : {most.inside}, {most.inside}")

    def _moved(self, b, total, was, base, added=None):
        """The sum so far beside another number."""
        scale = b.unary("exp", b.binary("sub", self._finite(b, was), base))
        moved = b.binary("mul", total, scale)
        return b.binary("add", moved, added) if added else moved

    def end(self):
        p = self.p
        most, total = self.largest, self.sum
        if p.plan.parts > 1:
            most = p.join("max", self.largest, "most_of_row")
            base = p.numbers("base_of_row", [most], self._finite)
            own = p.alloc("own", p.plan.rows, 1, "f32")
            p.numbers("own", [self.sum, self.largest, base], self._moved, own)
            total = p.join("sum", own, "sum_of_row")
        p.tiles[self.node.number] = total
        if twin := p.twin("max", self.a):
            p.tiles[twin.number] = most


class _Squares:
    """The mean so far, and the squares of what lies beside it, joined as by Chan, Golub and
    LeVeque: nothing cancels."""

    def __init__(self, program, node):
        self.p, self.node, self.a = program, node, node.of[0]
        self.mean = program.filled("mean", 0.0)
        self.squares = program.filled("squares", 0.0)

    def add(self, backwards):
        p = self.p
        left = p.index("ahead", "subi", p.width, p.column)
        count = p.index("count", "minsi", left, p.constant(p.plan.columns))
        before = p.index("before", "subi", left, count) if backwards else p.column
        total = p.folded("sum", self.a, "of_piece")
        own = p.numbers("own", [total], lambda b, s: b.binary("div", s, b.index(count)))
        p.rows_ahead([self.a])
        beside = self._beside(own)
        more = p.squares(beside, "squares_of_piece")
        p.numbers("squares", [self.squares, more, self.mean, own],
                  lambda b, *given: self._joined(b, before, count, *given), self.squares)
        p.numbers("mean", [self.mean, own],
                  lambda b, mean, own: self._middle(b, before, count, mean, own), self.mean)

    def _beside(self, own):
        p = self.p
        leaves = p._leaves([self.a])
        given = [(n, p.tiles[n]) for n in leaves] + [(None, own)]
        beside = p.alloc("beside", p.plan.rows, p.plan.columns, "f32", True)

        def body(b, argument, column):
            value = b.binary("sub", b.of(self.a), argument(len(given) - 1))
            if not p.mask:
                return [value]
            inside = p.inside(column)
            zero = b.constant(0.0)
            return [p.out.value("v", f"arith.select {inside}, {value}, {zero} : f32")]

        p._map(given, [beside], body, bool(p.mask))
        return beside

    @staticmethod
    def _joined(b, before, count, squares, more, mean, own):
        apart = b.binary("sub", own, mean)
        first, then = b.index(before), b.index(count)
        weight = b.binary("div", b.binary("mul", first, then), b.binary("add", first, then))
        between = b.binary("mul", b.binary("mul", apart, apart), weight)
        return b.binary("add", b.binary("add", squares, more), between)

    @staticmethod
    def _middle(b, before, count, mean, own):
        first, then = b.index(before), b.index(count)
        share = b.binary("div", then, b.binary("add", first, then))
        return b.binary("add", mean, b.binary("mul", b.binary("sub", own, mean), share))

    def end(self):
        p, mean, squares = self.p, self.mean, self.squares
        if p.plan.parts > 1:  # of equally many columns
            share = p.numbers("share", [mean], lambda b, m: b.binary(
                "mul", m, b.constant(1 / p.plan.parts)))
            middle = p.join("sum", share, "mean_of_row")
            apart = p.alloc("apart", p.plan.rows, 1, "f32")
            p.numbers("apart", [squares, mean, middle], self._apart, apart)
            mean, squares = middle, p.join("sum", apart, "squares_of_row")
        p.tiles[self.node.number] = squares
        if twin := p.twin("middle", self.a):
            p.tiles[twin.number] = mean

    def _apart(self, b, squares, mean, middle):
        beside = b.binary("sub", mean, middle)
        between = b.binary("mul", b.binary("mul", beside, beside), b.index(self.p.width))
        return b.binary("add", squares, between)


def state_of(program, node):
    return {"sumexp": _Exponentials, "squares": _Squares}.get(node.op, _Fold)(program, node)
