"""The text of a fused function at the tile level: its rows go through a ring, a block after the
other, as those of the catalogue's kernels (kernels/Rows.h, kernels/Visits.h)."""

import contextlib

from ._graph import REDUCTIONS, needed
from ._reductions import Piece, join, states_of
from ._tensors import CTAS, Tensors
from ._text import Lines
from ._tiles import Result, Tiles


class Program:
    """Prints one kernel; `nodes` are its results, lowered for the plan."""

    def __init__(self, name, plan, operands, outputs, scalars, nodes):
        self.plan, self.operands, self.outputs, self.nodes = plan, operands, outputs, nodes
        self.out = Lines()
        self.name = name
        self.tensors = Tensors(self.out, plan, operands, outputs)
        self.scalars = {s: "%" + self.out.name(s) for s in scalars}
        self.tiles = Tiles(self.out, plan, self.tensors, self.scalars,
                           all(o.dtype != "f32" for o in outputs))
        self.row = self.column = None  # where we are

    def text(self):
        out = self.out
        given = self.tensors.given()
        given += [f'{ssa}: f32 {{sluice.name = "{s}"}}' for s, ssa in self.scalars.items()]
        out.put(f"sluice.kernel @{self.name}(" + (",\n" + " " * 4).join(given) + ")")
        out.put('    attributes {target = "sm_90a"} {')
        out.depth += 1
        self.tensors.extents()
        self.tiles.mask = self.tensors.mask
        if self.plan.line:
            self._lines()
        else:
            self._rows() if self.plan.along else self._each_piece()
        out.depth -= 1
        out.put("}")
        return out.text()

    # ---- Loops ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def loop(self, name, count, staged):
        """Over 0 .. count; with stages if it loads tiles to rings."""
        t = "%" + self.out.name(name)
        zero, one = self.out.constant(0), self.out.constant(1)
        self.out.put(f"scf.for {t} = {zero} to {count} step {one} {{")
        self.out.depth += 1
        known = dict(self.tiles.known)
        yield t
        self.tiles.known = known
        self.out.depth -= 1
        asked = staged and self.plan.stages
        stages = f"sluice.stages = {self.plan.stages} : i64, " if asked else ""
        self.out.put(f'}} {{{stages}sluice.name = "{t[1:]}"}}')

    def _grid(self, ctas):
        room = f" {{sluice.ctas_per_sm = {self.plan.per_sm}}}" if self.plan.per_sm > 1 else ""
        return self.out.value("cta", f"sluice.grid {ctas}{room} : index")

    @contextlib.contextmanager
    def blocks(self, count, staged):
        """Every so manieth of the blocks for each CTA, or a share of them, side by side."""
        share, index = self.plan.share, self.out.index
        each = self.out.constant(share or CTAS)
        ctas = index("ctas", "ceildivsi" if share else "minsi", count, each)
        cta = self._grid(ctas)
        first = index("first", "muli", cta, each) if share else cta
        left = index("left", "subi", count, first)
        mine = index("mine", *(("minsi", left, each) if share else ("ceildivsi", left, ctas)))
        self._vectors_ahead()
        with self.loop("t", mine, staged) as t:
            further = t if share else index("turn", "muli", t, ctas)
            yield index("block", "addi", first, further)

    # ---- Loads and stores -------------------------------------------------------------------

    def load_all(self, nodes, chosen, last=False):
        """The tiles of those tensors that are chosen and that it takes to compute the nodes."""
        for n in self.tiles.missing(nodes):
            if n.op == "input" and chosen(self.operands[n.value]):
                o = self.operands[n.value]
                tile = self.tiles.alloc(o.name + "_tile", *self.tensors.shape(o), o.dtype,
                                        zeros=o.columns)
                self.tensors.load(o, tile, self.row, self.column, last)
                self.tiles.known[n.number] = tile

    def _vectors_ahead(self):
        if self.plan.ahead:
            self.column = self.out.constant(0)
            self.load_all(self.nodes, lambda o: not o.rows)

    def _store_full(self):
        for node, o in zip(self.nodes, self.outputs):
            if o.columns:
                self.tiles.rows_ahead([node])
                tile = self.tiles.map([Result(node, o.name + "_tile", o.dtype)], self.plan.rows,
                                      self.plan.columns)[0]
                self.tensors.store(tile, o, self.row, self.column)

    def _store_numbers(self):
        for node, o in zip(self.nodes, self.outputs):
            if not o.columns:
                self.tensors.store_numbers(self._number_of_row(node, o), o, self.row)

    def _number_of_row(self, node, o):
        tiles, rows = self.tiles, self.plan.rows
        if self.plan.parts == 1:
            known = tiles.known.get(node.number)
            if known and known.dtype == o.dtype and node.op in REDUCTIONS:
                return known
            return tiles.map([Result(node, o.name + "_tile", o.dtype)], rows, 1)[0]
        if node.number not in tiles.known:
            tiles.rows_ahead([node])
        same = tiles.alloc(o.name + "_tile", rows, 1, o.dtype)
        tiles.each([(None, tiles.filled("none", 0.0)), (None, tiles.known[node.number])], [same],
                   lambda b, argument, _: [b.rounded(argument(1), o.dtype)])
        return same

    # ---- Rows -------------------------------------------------------------------------------

    def _rows(self):
        plan = self.plan
        each = self.out.constant(1 if plan.parts > 1 else plan.rows)
        count = self.out.index("blocks", "ceildivsi", self.tensors.rows, each)
        if not plan.held:
            self.across = self.out.index("across", "ceildivsi", self.tensors.width,
                                         self.out.constant(plan.columns))
        with self.blocks(count, plan.held) as block:
            self.row = self.out.index("row", "muli", block, each)
            self.load_all(self.nodes, lambda o: o.rows and not o.columns)
            self._held() if plan.held else self._in_passes()
            self._store_numbers()

    def _reductions(self, level):
        return [n for n in needed(self.nodes) if n.op in REDUCTIONS and n.level == level]

    def _depth(self):
        return max((n.level for n in needed(self.nodes)), default=0)

    def _held(self):
        """Every tile of a row is at hand: reductions, a level after the other, and results."""
        self.column = self.out.constant(0)
        self.load_all(self.nodes, lambda o: o.columns)
        for level in range(1, self._depth() + 1):
            states = states_of(self, self._reductions(level))
            for state in states:
                state.hold()
            join(states, self.tiles)
        self._store_full()

    def _in_passes(self):
        full = [n for n, o in zip(self.nodes, self.outputs) if o.columns]
        last = max([self._depth()] + [n.level + 1 for n in full])
        for number in range(1, last + 1):
            self._pass(number, self._reductions(number), full if number == last else [],
                       number == last)

    def _pass(self, level, reductions, full, last):
        """Over the pieces of a row or its part."""
        states = states_of(self, reductions)
        for state in states:
            state.start()
        wanted = [n.of[0] for n in reductions] + full
        self.tiles.rows_ahead(wanted)
        streams = any(n.op == "input" and self.operands[n.value].columns and
                      (self.operands[n.value].rows or self.plan.parts > 1)
                      for n in self.tiles.missing(wanted))
        with self.loop("p", self.across, streams) as p:
            piece = self._piece_at(p, backwards=level % 2 == 0)
            self.load_all(wanted, lambda o: o.columns, last)
            for state in states:
                state.add(piece)
            if full:
                self._store_full()
        self.tiles.mask = None
        for state in states:
            state.end()
        join(states, self.tiles)

    def _piece_at(self, p, backwards):
        out, width = self.out, self.tensors.width
        if backwards:  # what was loaded last is in the cache still
            ahead = out.index("ahead", "subi", self.across, out.constant(1))
            p = out.index("piece", "subi", ahead, p)
        self.column = out.index("column", "muli", p, out.constant(self.plan.columns))
        left = out.index("left", "subi", width, self.column)
        self.tiles.mask = None if self.plan.exact else left
        count = out.index("count", "minsi", left, out.constant(self.plan.columns))
        return Piece(count, out.index("before", "subi", left, count) if backwards else self.column)

    # ---- No reduction -----------------------------------------------------------------------

    def _each_piece(self):
        """A CTA takes pieces of rows."""
        plan, index = self.plan, self.out.index
        tall, wide = self.out.constant(plan.rows), self.out.constant(plan.columns)
        across = index("across", "ceildivsi", self.tensors.width, wide)
        down = index("down", "ceildivsi", self.tensors.rows, tall)
        if plan.share:
            return self._each_strip(across, down)
        with self.blocks(index("pieces", "muli", down, across), True) as piece:
            self.row = index("row", "muli", index("below", "divsi", piece, across), tall)
            self.column = index("column", "muli", index("beside", "remsi", piece, across), wide)
            self._piece()

    def _lines(self):
        """The elements of rows are one line of numbers: a CTA takes lines, each of them a piece."""
        each = self.out.constant(self.plan.rows)
        count = self.out.index("blocks", "ceildivsi", self.tensors.rows, each)
        with self.blocks(count, True) as block:
            self.row = self.out.index("row", "muli", block, each)
            self.column = self.out.constant(0)
            self._piece()

    def _each_strip(self, across, down):
        """A share of the pieces of one strip of columns, beside those of the CTAs next to it: what
        is the same for all rows is loaded once."""
        plan, index = self.plan, self.out.index
        each = self.out.constant(plan.share)
        shares = index("shares", "ceildivsi", down, each)
        cta = self._grid(index("ctas", "muli", shares, across))
        self.column = index("column", "muli", index("beside", "remsi", cta, across),
                            self.out.constant(plan.columns))
        first = index("first", "muli", index("below", "divsi", cta, across), each)
        mine = index("mine", "minsi", index("left", "subi", down, first), each)
        self.load_all(self.nodes, lambda o: not o.rows)
        with self.loop("t", mine, True) as t:
            self.row = index("row", "muli", index("block", "addi", first, t),
                             self.out.constant(plan.rows))
            self._piece()

    def _piece(self):
        self.load_all(self.nodes, lambda o: True)
        self._store_full()
        self._store_numbers()
