"""What reductions keep of a row, or of the part of it that a warp has: one number, or two that
belong together. All that a level of them finds of its parts is joined in one exchange."""

import math
from typing import NamedTuple

from ._graph import leading, left_by, needed
from ._tiles import FROM, Result

_LOWEST = -3.4028234663852886e38  # of f32
_JOINS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}


class Piece(NamedTuple):
    """Columns of a row or its part that a tile has of it, and those of the pieces before."""

    count: str
    before: str


class _State:
    """Of one reduction. Where a row or its part is held, hold() has its `numbers`; else start(),
    add() in each piece and end(). join() takes those of all parts, and has what the nodes are."""

    def __init__(self, program, node):
        self.node, self.a, self.nodes = node, node.of[0], program.nodes
        self.tiles, self.plan, self.out = program.tiles, program.plan, program.out
        self.stays = self.plan.held and self.a in left_by(node, self.nodes)

    def _twin(self, op):
        """The node of this operation on the same, if there is one."""
        return next((n for n in needed(self.nodes) if n.op == op and n.of[0] is self.a), None)

    def end(self):
        pass

    def _is(self, node, tile):
        if node:
            self.tiles.known[node.number] = tile


class _Fold(_State):
    """A sum or product, or what is largest or smallest."""

    def start(self):
        self.numbers = [self.tiles.filled(self.node.op, FROM[self.node.op])]

    def hold(self):
        self.numbers = [self.tiles.folded(self.node.op, self.a, self.node.op, self.stays)]

    def add(self, piece):
        op, so_far = self.node.op, self.numbers[0]
        more = self.tiles.folded(op, self.a, "of_piece")
        self.tiles.numbers(op, [so_far, more],
                           lambda b, was, new: b.binary(_JOINS[op], was, new), so_far)

    def join(self, numbers):
        op = self.node.op
        self._is(self.node, self.tiles.join(op, numbers[0], op + "_of_row"))


class _Exponentials(_State):
    """The largest number, and the sum of exp(a - largest)."""

    def start(self):
        self.numbers = [self.tiles.filled("largest", -math.inf), self.tiles.filled("sum", 0.0)]

    def hold(self):
        seen = self._seen()
        largest = self.tiles.fold("max", seen, "largest")
        e = self._beside(seen, self.tiles.numbers("base", [largest], self._finite))
        self.numbers = [largest, self.tiles.fold("sum", e, "sum")]
        self._is(self._twin("exps"), e)

    def add(self, piece):
        tiles, (largest, total) = self.tiles, self.numbers
        seen = self._seen()
        more = tiles.fold("max", seen, "of_piece")
        most = tiles.numbers("most", [largest, more],
                             lambda b, was, new: b.binary("maximum", was, new))
        base = tiles.numbers("base", [most], self._finite)
        added = tiles.fold("sum", self._beside(seen, base), "added")
        tiles.numbers("sum", [total, largest, base, added], self._moved, total)
        self.out.put(f"sluice.copy {most.ssa} to {largest.ssa} : {most.inside}, {most.inside}")

    def _seen(self):
        """A tile of a, read once, and what changes nothing beyond the last column."""
        self.tiles.rows_ahead([self.a])
        seen = self.tiles.map([Result(self.a, "seen", outside=-math.inf)], self.plan.rows,
                              self.plan.columns)[0]
        if self.stays:
            self._is(self.a, seen)
        return seen

    def _beside(self, seen, base):
        e = self.tiles.alloc("e", self.plan.rows, self.plan.columns, "f32")
        self.tiles.each([(None, seen), (None, base)], [e], lambda b, argument, _: [
            b.unary("exp", b.binary("sub", argument(0), argument(1)))])
        return e

    @staticmethod
    def _finite(b, x):
        """-inf less itself is none: exponentials of it are zero beside any number."""
        return b.binary("maximum", x, b.constant(_LOWEST))

    def _moved(self, b, total, was, base, added):
        """The sum so far beside another number, and what comes to it."""
        scale = b.unary("exp", b.binary("sub", self._finite(b, was), base))
        return b.binary("add", b.binary("mul", total, scale), added)

    def join(self, numbers):
        tiles, (largest, sums) = self.tiles, numbers
        most = tiles.join("max", largest, "most_of_row")
        # None where all numbers are -inf, as exp(-inf + inf) is none.
        own = tiles.numbers("own", [sums, largest, most], lambda b, total, own, most: b.binary(
            "mul", total, b.unary("exp", b.binary("sub", own, most))))
        self._is(self.node, tiles.join("sum", own, "sum_of_row"))
        self._is(self._twin("max"), most)
        if weight := self._twin("weight"):
            self._is(weight, tiles.numbers("weight", [self.numbers[0], most], self._weight))

    @staticmethod
    def _weight(b, own, most):
        """exp(own - most), 1 where both are inf: beside that the exponentials are right already."""
        both = b.compared("eq", b.binary("minimum", own, most), b.constant(math.inf))
        scale = b.unary("exp", b.binary("sub", own, most))
        return b.selected(both, b.constant(1.0), scale)


class _Squares(_State):
    """The mean, and the squares of what lies beside it, joined as by Chan, Golub and LeVeque:
    pieces one after the other, parts all at once. Nothing cancels."""

    def start(self):
        self.so_far = [self.tiles.filled("sum", 0.0), self.tiles.filled("squares", 0.0)]

    def hold(self):
        mean = self._mean(self.tiles.folded("sum", self.a, "sum", self.stays))
        self.numbers = [mean, self.tiles.squares(self._beside(mean), "squares")]

    def add(self, piece):
        tiles, (total, squares) = self.tiles, self.so_far
        more = tiles.folded("sum", self.a, "of_piece")
        own = tiles.numbers("own", [more], lambda b, s: b.binary("div", s, b.index(piece.count)))
        beside = tiles.squares(self._beside(own), "squares_of_piece")
        tiles.numbers("squares", [squares, beside, total, own],
                      lambda b, *given: self._joined(b, piece, *given), squares)
        tiles.numbers("sum", [total, more], lambda b, was, new: b.binary("add", was, new), total)

    def end(self):
        total, squares = self.so_far
        self.numbers = [self._mean(total) if self.plan.parts > 1 else total, squares]

    def _mean(self, total):
        """Of a part: what it is of all parts takes no division then."""
        return self.tiles.numbers_of_parts("mean", [total], lambda b, columns, total: b.binary(
            "div", total, b.binary("maximum", columns, b.constant(1.0)) if self.plan.row
            else columns))

    def _beside(self, own):
        tiles = self.tiles
        tiles.rows_ahead([self.a])
        given = [(n, tiles.known[n]) for n in tiles.leaves([self.a])] + [(None, own)]
        beside = tiles.alloc("beside", self.plan.rows, self.plan.columns, "f32", True)

        def body(b, argument, column):
            value = b.binary("sub", b.of(self.a), argument(len(given) - 1))
            return [b.selected(tiles.inside(column), value, b.constant(0.0)) if tiles.mask
                    else value]

        tiles.each(given, [beside], body, bool(tiles.mask))
        return beside

    @staticmethod
    def _joined(b, piece, squares, more, total, own):
        """With n columns so far, m in the piece, means a and b: n m / (n + m) (a - b)^2 more."""
        n, m = b.index(piece.before), b.index(piece.count)
        apart = b.binary("sub", b.binary("mul", own, n), total)  # n (b - a)
        some = b.binary("maximum", n, b.constant(1.0))
        share = b.binary("div", m, b.binary("mul", some, b.binary("add", n, m)))
        between = b.binary("mul", b.binary("mul", apart, share), apart)
        return b.binary("add", b.binary("add", squares, more), between)

    def join(self, numbers):
        total, squares = self._of_row(*numbers) if self.plan.parts > 1 else numbers
        self._is(self.node, squares)
        self._is(self._twin("sum"), total)

    def _of_row(self, means, squares):
        tiles = self.tiles
        totals = tiles.numbers_of_parts("total", [means], lambda b, columns, mean: b.binary(
            "mul", mean, columns))
        total = tiles.join("sum", totals, "sum_of_row")
        mean = tiles.numbers("mean_of_row", [total], lambda b, s: b.binary(
            "div", s, b.index(tiles.tensors.whole)))
        apart = tiles.numbers_of_parts("apart", [means, squares, mean], self._apart)
        return total, tiles.join("sum", apart, "squares_of_row")

    @staticmethod
    def _apart(b, columns, own, squares, mean):
        beside = b.binary("sub", own, mean)
        between = b.binary("mul", b.binary("mul", beside, beside), columns)
        return b.binary("add", squares, between)


def states_of(program, reductions):
    """One for each of these reductions of a level that is not found beside another."""
    kinds = {"sumexp": _Exponentials, "squares": _Squares}
    return [kinds.get(n.op, _Fold)(program, n) for n in leading(reductions)]


def join(states, tiles):
    """What the reductions of a level are, in one exchange of what each part has."""
    numbers = iter(tiles.of_all_parts([t for state in states for t in state.numbers]))
    for state in states:
        state.join([next(numbers) for _ in state.numbers])
