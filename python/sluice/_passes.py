"""What a pass over the pieces of rows keeps: one number a row, or two that belong together."""

import math

from ._graph import needed
from ._tiles import FROM, Result

_LOWEST = -3.4028234663852886e38  # of f32


class _State:
    """Of one reduction: numbers of a row, or of its part, of the pieces so far."""

    def __init__(self, program, node):
        self.p, self.node, self.a = program, node, node.of[0]
        self.tiles, self.plan, self.out = program.tiles, program.plan, program.out

    def _twin(self, op):
        """The node of this operation on the same, if there is one."""
        return next((n for n in needed(self.p.nodes) if n.op == op and n.of[0] is self.a), None)

    def _is(self, node, tile):
        if node:
            self.tiles.known[node.number] = tile


class _Fold(_State):
    """A sum, or what is largest or smallest, so far."""

    def __init__(self, program, node):
        super().__init__(program, node)
        self.state = self.tiles.filled(node.op, FROM[node.op])

    def add(self, backwards):
        op = self.node.op
        more = self.tiles.folded(op, self.a, "of_piece")
        join = {"sum": "add", "max": "maximum", "min": "minimum"}[op]
        self.tiles.numbers(op, [self.state, more], lambda b, was, new: b.binary(join, was, new),
                           self.state)

    def end(self):
        self._is(self.node, self.tiles.join(self.node.op, self.state, self.node.op + "_of_row"))


class _Exponentials(_State):
    """The largest number so far, and the sum of exp(a - largest)."""

    def __init__(self, program, node):
        super().__init__(program, node)
        self.largest = self.tiles.filled("largest", -math.inf)
        self.sum = self.tiles.filled("sum", 0.0)

    def _finite(self, b, x):
        """-inf less itself is none: exponentials of it are zero beside any number."""
        return b.binary("maximum", x, b.constant(_LOWEST))

    def add(self, backwards):
        tiles, plan = self.tiles, self.plan
        tiles.rows_ahead([self.a])
        seen = tiles.map([Result(self.a, "seen", outside=-math.inf)], plan.rows, plan.columns)[0]
        more = tiles.fold("max", seen, "of_piece")
        most = tiles.numbers("most", [self.largest, more],
                             lambda b, was, new: b.binary("maximum", was, new))
        base = tiles.numbers("base", [most], self._finite)
        e = tiles.alloc("e", plan.rows, plan.columns, "f32")
        tiles.each([(None, seen), (None, base)], [e], lambda b, argument, _: [
            b.unary("exp", b.binary("sub", argument(0), argument(1)))])
        added = tiles.fold("sum", e, "added")
        tiles.numbers("sum", [self.sum, self.largest, base, added], self._moved, self.sum)
        self.out.put(f"sluice.copy {most.ssa} to {self.largest.ssa} : {most.inside}, {most.inside}")

    def _moved(self, b, total, was, base, added=None):
        """The sum so far beside another number."""
        scale = b.unary("exp", b.binary("sub", self._finite(b, was), base))
        moved = b.binary("mul", total, scale)
        return b.binary("add", moved, added) if added else moved

    def end(self):
        tiles, most, total = self.tiles, self.largest, self.sum
        if self.plan.parts > 1:
            most = tiles.join("max", self.largest, "most_of_row")
            base = tiles.numbers("base_of_row", [most], self._finite)
            own = tiles.alloc("own", self.plan.rows, 1, "f32")
            tiles.numbers("own", [self.sum, self.largest, base], self._moved, own)
            total = tiles.join("sum", own, "sum_of_row")
        self._is(self.node, total)
        self._is(self._twin("max"), most)


class _Squares(_State):
    """The mean so far, and the squares of what lies beside it, joined as by Chan, Golub and
    LeVeque: nothing cancels."""

    def __init__(self, program, node):
        super().__init__(program, node)
        self.mean = self.tiles.filled("mean", 0.0)
        self.squares = self.tiles.filled("squares", 0.0)

    def add(self, backwards):
        tiles, out = self.tiles, self.out
        left = out.index("ahead", "subi", tiles.tensors.width, self.p.column)
        count = out.index("count", "minsi", left, out.constant(self.plan.columns))
        before = out.index("before", "subi", left, count) if backwards else self.p.column
        total = tiles.folded("sum", self.a, "of_piece")
        own = tiles.numbers("own", [total], lambda b, s: b.binary("div", s, b.index(count)))
        tiles.rows_ahead([self.a])
        beside = self._beside(own)
        more = tiles.squares(beside, "squares_of_piece")
        tiles.numbers("squares", [self.squares, more, self.mean, own],
                      lambda b, *given: self._joined(b, before, count, *given), self.squares)
        tiles.numbers("mean", [self.mean, own],
                      lambda b, mean, own: self._middle(b, before, count, mean, own), self.mean)

    def _beside(self, own):
        tiles = self.tiles
        given = [(n, tiles.known[n]) for n in tiles.leaves([self.a])] + [(None, own)]
        beside = tiles.alloc("beside", self.plan.rows, self.plan.columns, "f32", True)

        def body(b, argument, column):
            value = b.binary("sub", b.of(self.a), argument(len(given) - 1))
            if not tiles.mask:
                return [value]
            inside = tiles.inside(column)
            zero = b.constant(0.0)
            return [self.out.value("v", f"arith.select {inside}, {value}, {zero} : f32")]

        tiles.each(given, [beside], body, bool(tiles.mask))
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
        tiles, mean, squares = self.tiles, self.mean, self.squares
        if self.plan.parts > 1:  # of equally many columns
            share = tiles.numbers("share", [mean], lambda b, m: b.binary(
                "mul", m, b.constant(1 / self.plan.parts)))
            middle = tiles.join("sum", share, "mean_of_row")
            apart = tiles.alloc("apart", self.plan.rows, 1, "f32")
            tiles.numbers("apart", [squares, mean, middle], self._apart, apart)
            mean, squares = middle, tiles.join("sum", apart, "squares_of_row")
        self._is(self.node, squares)
        self._is(self._twin("middle"), mean)

    def _apart(self, b, squares, mean, middle):
        beside = b.binary("sub", mean, middle)
        between = b.binary("mul", b.binary("mul", beside, beside),
                           b.index(self.tiles.tensors.width))
        return b.binary("add", squares, between)


def states_of(program, reductions):
    """One for each of these reductions, but for those that are found beside another."""
    pairs = {"sumexp": ("max", _Exponentials), "squares": ("middle", _Squares)}
    beside = {(pairs[n.op][0], n.of[0].number) for n in reductions if n.op in pairs}
    return [pairs.get(n.op, (None, _Fold))[1](program, n) for n in reductions
            if (n.op, n.of[0].number) not in beside]
