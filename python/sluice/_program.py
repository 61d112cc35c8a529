"""The text of a fused function at the tile level: its rows go through a ring, a block after the
other, as those of the catalogue's kernels (kernels/Rows.h, kernels/Visits.h)."""

import contextlib
import math
import struct
from typing import NamedTuple

from ._graph import REDUCTIONS, Graph, keeps_zero, kept, needed
from ._text import Body, Lines

_CTAS = 132
_LOWEST = -3.4028234663852886e38  # of f32
_FOLDS = {"sum": ("arith.addf", "0.0"), "max": ("arith.maximumf", "-inf"),
          "min": ("arith.minimumf", "inf")}
_FROM = {"sum": 0.0, "max": float("-inf"), "min": float("inf")}


class Tile(NamedTuple):
    ssa: str
    rows: int
    columns: int
    dtype: str
    zeros: bool = False  # beyond the tensor's last column

    @property
    def inside(self):
        return f"<{self.rows}x{self.columns}x{self.dtype}>"

    @property
    def type(self):
        return "!sluice.buffer" + self.inside


class Result(NamedTuple):
    """A tile to be computed. `outside`: what it holds beyond the last column, None: anything."""

    node: object
    name: str
    dtype: str = "f32"
    outside: float = None


class Program:
    """Prints one kernel; `nodes` are its results, lowered for the plan."""

    def __init__(self, name, plan, operands, outputs, scalars, nodes):
        self.plan, self.operands, self.outputs, self.nodes = plan, operands, outputs, nodes
        self.out = Lines()
        self.name = name
        self.ssa = {o.name: "%" + self.out.name(o.name) for o in (*operands, *outputs)}
        self.scalars = {s: "%" + self.out.name(s) for s in scalars}
        self.approximate = all(o.dtype != "f32" for o in outputs)
        self.tiles = {}  # by the number of the node that they hold
        self.row = self.column = None
        self.mask = None  # what the columns of a tile stay below, where some lie beyond
        self.line = None  # of the element, in the body of a map with coordinates
        self.constants = {}

    # ---- Tensors, loops ---------------------------------------------------------------------

    def tensor(self, o):
        plan, lines = self.plan, "?" if o.rows else "1"
        parts = f"{plan.parts}x" if plan.parts > 1 and o.columns else ""
        columns = (plan.part if plan.row else "?") if o.columns else "1"
        if plan.line:
            return f"<?x{plan.columns}x{o.dtype}, align 16>"
        return f"<{lines}x{parts}{columns}x{o.dtype}, align {o.align}>"

    def _given(self, o, marks=""):
        """The tensor as an argument. A row whose parts may be short is launched as one, and so are
        lines."""
        plan, joined = self.plan, ", sluice.line" if self.plan.line else ""
        if plan.row and o.columns:
            joined = ", sluice.joined = 1 : i64"
            if plan.parts * plan.part != plan.row:
                joined += f", sluice.joined_extent = {plan.row} : i64"
        return (f'{self.ssa[o.name]}: !sluice.tensor{self.tensor(o)} '
                f'{{sluice.name = "{o.name}"{marks}{joined}}}')

    def text(self):
        out = self.out
        given = [self._given(o) for o in self.operands]
        given += [self._given(o, ", sluice.out") for o in self.outputs]
        given += [f'{ssa}: f32 {{sluice.name = "{s}"}}' for s, ssa in self.scalars.items()]
        out.put(f"sluice.kernel @{self.name}(" + (",\n" + " " * 4).join(given) + ")")
        out.put('    attributes {target = "sm_90a"} {')
        out.depth += 1
        self._extents()
        if self.plan.line:
            self._lines()
        else:
            self._rows() if self.plan.along else self._each_piece()
        out.depth -= 1
        out.put("}")
        return out.text()

    def constant(self, value):
        """Of an index, declared at the head of the kernel."""
        if value not in self.constants:
            self.constants[value] = self.out.value(f"c{value}",
                                                   f"arith.constant {value} : index")
        return self.constants[value]

    def index(self, wish, op, *of):
        return self.out.value(wish, f"arith.{op} {', '.join(of)} : index")

    def _extents(self):
        plan, out = self.plan, self.out
        for value in {0, 1, plan.rows, plan.columns, plan.share or _CTAS, plan.parts}:
            self.constant(value)
        first = next(o for o in self.operands if o.full)
        last = 2 if plan.parts > 1 else 1

        def extent(wish, o, dim):
            return out.value(wish, f"sluice.dim {self.ssa[o.name]}, {dim} : {self.tensor(o)}")

        def assume(condition, words):
            out.put(f'sluice.assume {condition}, "{words}"')

        self.rows = extent("lines" if plan.line else "rows", first, 0)
        if plan.line:  # Frame has held all tensors against each other, and no mean is asked for
            self.whole = None
            return
        self.width = self.constant(plan.part) if plan.row else extent("columns", first, last)
        for o in (*self.operands, *self.outputs):
            for differs, dim, mine, word in ((o.rows, 0, self.rows, "rows"),
                                             (o.columns and not plan.row, last, self.width,
                                              "columns")):
                if differs and o is not first:
                    same = self.index("same", "cmpi eq,", mine, extent("extent", o, dim))
                    assume(same, f"{first.name} and {o.name} have as many {word}")
        self.whole = self.width  # columns of a row, over which means go
        if plan.row:
            self.whole, self.mask = self.constant(plan.row), self.width
        elif plan.parts > 1:
            self.whole = self.index("whole", "muli", self.width, self.constant(plan.parts))
        if plan.held and not plan.row:
            op, word = ("eq", "") if plan.exact else ("sle", "at most ")
            fits = self.index("fits", f"cmpi {op},", self.width, self.constant(plan.columns))
            assume(fits, f"a row or its part has {word}{plan.columns} columns")
            self.mask = None if plan.exact else self.width
        elif plan.along and plan.exact:
            rest = self.index("rest", "remsi", self.width, self.constant(plan.columns))
            assume(self.index("whole_pieces", "cmpi eq,", rest, self.constant(0)),
                   f"pieces of {plan.columns} columns make a row or its part")

    @contextlib.contextmanager
    def loop(self, name, count, staged):
        """Over 0 .. count; with stages if it loads tiles."""
        t = "%" + self.out.name(name)
        self.out.put(f"scf.for {t} = {self.constant(0)} to {count} step {self.constant(1)} {{")
        self.out.depth += 1
        known = dict(self.tiles)
        yield t
        self.tiles = known
        self.out.depth -= 1
        stages = f"sluice.stages = {self.plan.stages} : i64, " if staged else ""
        self.out.put(f'}} {{{stages}sluice.name = "{t[1:]}"}}')

    def _grid(self, ctas):
        room = f" {{sluice.ctas_per_sm = {self.plan.per_sm}}}" if self.plan.per_sm > 1 else ""
        return self.out.value("cta", f"sluice.grid {ctas}{room} : index")

    @contextlib.contextmanager
    def blocks(self, count, staged):
        """Every so manieth of the blocks for each CTA, or a share of them, side by side."""
        share = self.plan.share
        each = self.constant(share or _CTAS)
        ctas = self.index("ctas", "ceildivsi" if share else "minsi", count, each)
        cta = self._grid(ctas)
        first = self.index("first", "muli", cta, each) if share else cta
        left = self.index("left", "subi", count, first)
        mine = self.index("mine", *(("minsi", left, each) if share else ("ceildivsi", left, ctas)))
        self._vectors_ahead()
        with self.loop("t", mine, staged) as t:
            further = t if share else self.index("turn", "muli", t, ctas)
            yield self.index("block", "addi", first, further)

    def alloc(self, wish, rows, columns, dtype, zeros=False):
        name = self.out.name(wish)
        tile = Tile("%" + name, rows, columns, dtype, zeros)
        self.out.put(f'{tile.ssa} = sluice.alloc "{name}" : {tile.type}')
        return tile

    def load(self, o, last=False):
        """The tile of the tensor at the row and column that we are at."""
        plan, zero = self.plan, self.constant(0)
        row = self.row if o.rows else zero
        column = self.column if o.columns else zero
        shared = plan.parts > 1 and o.columns  # a line of the tile is a part of a row
        lines = plan.rows if shared or o.rows and plan.parts == 1 else 1
        wide = plan.columns if o.columns else 1
        tile = self.alloc(o.name + "_tile", lines, wide, o.dtype, zeros=o.columns)
        at = f"{row}, {zero}, {column}" if shared else f"{row}, {column}"
        hint = " cache evict_first" if last and o.full else ""
        self.out.put(f"sluice.load {self.ssa[o.name]}[{at}] to {tile.ssa}{hint} : "
                     f"{self.tensor(o)}, {tile.inside}")
        return tile

    def store(self, tile, o):
        at = f"{self.row}, {self.constant(0)}, " if self.plan.parts > 1 else f"{self.row}, "
        self.out.put(f"sluice.store {tile.ssa} to {self.ssa[o.name]}[{at}{self.column}] "
                     f"{{sluice.staging = {self.plan.staging} : i64}} : {tile.inside}, "
                     f"{self.tensor(o)}")

    def store_numbers(self, node, o):
        """One number a row; where warps share a row, each has it, and the first one's is stored."""
        plan, to = self.plan, self.ssa[o.name]
        tile = self._number_of_row(node, o)
        if plan.parts > 1:
            end = self.index("next", "addi", self.row, self.constant(1))
            to = self.out.value("own", f"sluice.clip {to}, 0 to {end} : {self.tensor(o)}")
        self.out.put(f"sluice.store {tile.ssa} to {to}[{self.row}, {self.constant(0)}] : "
                     f"{tile.inside}, {self.tensor(o)}")

    def load_all(self, nodes, chosen, last=False):
        """The tiles of those tensors that are chosen and that it takes to compute the nodes."""
        for n in self.missing(nodes):
            if n.op == "input" and chosen(self.operands[n.value]):
                self.tiles[n.number] = self.load(self.operands[n.value], last)

    def missing(self, nodes):
        """What has no tile yet of all that it takes to compute the nodes, in order."""
        found, todo = {}, list(nodes)
        while todo:
            n = todo.pop()
            if n.number not in self.tiles and n.number not in found:
                found[n.number] = n
                todo.extend(n.of)
        return [found[number] for number in sorted(found)]

    def _vectors_ahead(self):
        if self.plan.ahead:
            self.column = self.constant(0)
            self.load_all(self.nodes, lambda o: not o.rows)

    # ---- Element functions ------------------------------------------------------------------

    def map(self, results, rows, columns, into=None, masked=True):
        """Tiles of these, all of one shape; `into`: those that are overwritten."""
        leaves = self._leaves([r.node for r in results])
        masks = masked and columns > 1 and self.mask
        masks = masks and any(r.outside is not None for r in results)
        made = into or [self.alloc(r.name, rows, columns, r.dtype,
                                   r.outside == 0 or self.zeros(r.node)) for r in results]

        def body(b, _, column):
            inside = self.inside(column) if masks else None
            values = []
            for r in results:
                value = b.of(r.node)
                if masks and r.outside is not None:
                    other = b.constant(r.outside)
                    value = self.out.value("v", f"arith.select {inside}, {value}, {other} : f32")
                values.append(b.rounded(value, r.dtype))
            return values

        self._map([(n, self.tiles[n]) for n in leaves], made, body, masks)
        return made

    def inside(self, column):
        """Whether this column of a tile is in the tensor, in the body of a map."""
        end = self.mask
        if self.plan.row:  # where the row ends, a part does
            before = self.index("before", "muli", self.line, self.width)
            end = self.index("end", "minsi", end, self.index("left", "subi", self.whole, before))
        return self.out.value("in", f"arith.cmpi slt, {column}, {end} : index")

    def zeros(self, node):
        def known(n):
            tile = self.tiles.get(n.number)
            return None if tile is None or n.op == "input" else tile.zeros
        return keeps_zero(node, known)

    def _leaves(self, nodes):
        """Numbers of the nodes that have tiles and that these are of without another between."""
        found, seen, todo = [], set(), list(reversed(nodes))
        while todo:
            n = todo.pop()
            if n.number in seen:
                continue
            seen.add(n.number)
            if n.number in self.tiles:
                found.append(n.number)
            else:
                todo.extend(reversed(n.of))
        return found

    def _map(self, given, made, body, coordinates=False):
        """`given`: (number or None, tile); body(Body, arguments, column) gives the values."""
        out, tiles = self.out, [t for _, t in given]
        types = ", ".join(t.type for t in tiles)
        ins = f"ins({', '.join(t.ssa for t in tiles)} : {types}) " if tiles else "ins() "
        outs = f"outs({', '.join(t.ssa for t in made)} : {', '.join(t.type for t in made)})"
        out.put(f"sluice.map {ins}{outs}{' coordinates' if coordinates else ''} {{")
        with out.body():
            self._map_body(given, made, body, coordinates)
        out.put("}")

    def _map_body(self, given, made, body, coordinates):
        out, tiles = self.out, [t for _, t in given]
        arguments = ["%" + out.name(t.ssa[1:] + "_") for t in tiles]
        heads = [f"{a}: {t.dtype}" for a, t in zip(arguments, tiles)]
        column = None
        if coordinates:
            column, self.line = "%" + out.name("j"), "%" + out.name("i")
            heads += [f"{self.line}: index", f"{column}: index"]
        out.lines.append("  " * (out.depth - 1) + f"^bb0({', '.join(heads)}):")
        wide, places = {}, {number: k for k, (number, _) in enumerate(given)}

        def leaf(n):
            k = places.get(n.number)
            return None if k is None else argument(k)

        def argument(k):
            if k not in wide:
                wide[k] = b.widened(arguments[k], tiles[k].dtype)
            return wide[k]

        b = Body(out, leaf, self.scalars, self.whole, self.approximate)
        values = body(b, argument, column)
        out.put(f"sluice.yield {', '.join(values)} : {', '.join(t.dtype for t in made)}")

    def numbers(self, wish, given, body, into=None):
        """One number a row, body(Body, values) of tiles of such."""
        made = into or self.alloc(wish, given[0].rows, 1, "f32")
        self._map([(None, t) for t in given], [made],
                  lambda b, argument, _: [body(b, *map(argument, range(len(given))))])
        return made

    def rows_ahead(self, nodes):
        """Tiles of all numbers of rows that full tiles are computed of."""
        wanted, seen, todo = [], set(), list(nodes)
        while todo:
            n = todo.pop()
            if n.number in self.tiles or n.number in seen:
                continue
            seen.add(n.number)
            if n.rows and not n.columns:
                wanted.append(n)
            elif n.columns:
                todo.extend(n.of)
        if wanted:
            wanted.sort(key=lambda n: n.number)
            tall = self.plan.rows if self.plan.parts == 1 else 1
            made = self.map([Result(n, "of_row") for n in wanted], tall, 1)
            self.tiles.update((n.number, t) for n, t in zip(wanted, made))

    # ---- Reductions -------------------------------------------------------------------------

    def fold(self, op, tile, wish, axis=1, node=None):
        """The numbers of rows of a tile, or their one number (axis 0); of the node that is of the
        tile alone, if given."""
        name, start = _FOLDS[op]
        made = self.alloc(wish, tile.rows if axis else 1, 1, "f32")
        self.out.put(f"sluice.reduce ins({tile.ssa} : {tile.type}) outs({made.ssa} : {made.type}) "
                     f"axis {axis} from [{start}] {{")
        with self.out.body():
            self._fold_body(name, tile, node)
        self.out.put("}")
        return made

    def _fold_body(self, name, tile, node):
        out, wide = self.out, []
        state, x = "%" + out.name("state"), "%" + out.name(tile.ssa[1:] + "_")
        out.lines.append("  " * (out.depth - 1) + f"^bb0({state}: f32, {x}: {tile.dtype}):")

        def leaf(n):
            if n.number not in self.tiles:
                return None
            if not wide:
                wide.append(b.widened(x, tile.dtype))
            return wide[0]

        b = Body(out, leaf, {}, None, self.approximate)
        value = b.of(node) if node is not None else b.widened(x, tile.dtype)
        joined = out.value("joined", f"{name} {state}, {value} : f32")
        out.put(f"sluice.yield {joined} : f32")

    def _alone(self, node):
        """The tile that a node is of, with constants alone beside it, or None."""
        leaves = self._leaves([node])
        if len(leaves) != 1 or any(n.op in ("argument", "width") for n in needed([node])):
            return None
        tile = self.tiles[leaves[0]]
        return tile if tile.columns > 1 and tile.rows == self.plan.rows else None

    def folded(self, op, node, wish, keep=False):
        """The numbers of rows of a full node. `keep`: its tile is there for who comes later."""
        self.rows_ahead([node])
        masked = self.mask and not (op == "sum" and self.zeros(node))
        tile = None if masked else self._alone(node)
        if tile and not (keep and node.number not in self.tiles):
            return self.fold(op, tile, wish, node=node)
        made = self.map([Result(node, "of_" + wish, outside=_FROM[op] if masked else None)],
                        self.plan.rows, self.plan.columns)[0]
        if keep:
            self.tiles[node.number] = made
        return self.fold(op, made, wish)

    def squares(self, tile, wish):
        """The sums of squares along the rows of a tile."""
        graph = Graph()
        x = graph.node("input", rows=True, columns=True)
        square = graph.node("mul", x, x)
        known, self.tiles = self.tiles, {x.number: tile}
        made = self.fold("sum", tile, wish, node=square)
        self.tiles = known
        return made

    def twin(self, op, of):
        """The node of this operation on that one, if there is one."""
        return next((n for n in needed(self.nodes) if n.op == op and n.of[0] is of), None)

    def join(self, op, tile, wish):
        """What the numbers of the parts of a row are together."""
        return self.fold(op, tile, wish, axis=0) if self.plan.parts > 1 else tile

    # ---- Rows -------------------------------------------------------------------------------

    def _rows(self):
        plan = self.plan
        each = self.constant(1 if plan.parts > 1 else plan.rows)
        count = self.index("blocks", "ceildivsi", self.rows, each)
        if not plan.held:
            self.across = self.index("across", "ceildivsi", self.width,
                                     self.constant(plan.columns))
        with self.blocks(count, plan.held) as block:
            self.row = self.index("row", "muli", block, each)
            self.load_all(self.nodes, lambda o: o.rows and not o.columns)
            self._held() if plan.held else self._in_passes()
            for node, o in zip(self.nodes, self.outputs):
                if not o.columns:
                    self.store_numbers(node, o)

    def _number_of_row(self, node, o):
        if self.plan.parts == 1:
            known = self.tiles.get(node.number)
            if known and known.dtype == o.dtype and node.op in REDUCTIONS:
                return known
            return self.map([Result(node, o.name + "_tile", o.dtype)], self.plan.rows, 1)[0]
        if node.number not in self.tiles:
            self.rows_ahead([node])
        same = self.alloc(o.name + "_tile", self.plan.rows, 1, o.dtype)
        self._map([(None, self.filled("none", 0.0)), (None, self.tiles[node.number])], [same],
                  lambda b, argument, _: [b.rounded(argument(1), o.dtype)])
        return same

    def filled(self, wish, value):
        """A tile of one number a row, all this."""
        tile = self.alloc(wish, self.plan.rows, 1, "f32")
        text = value if math.isfinite(value) else "0x" + struct.pack(">d", value).hex().upper()
        self.out.put(f"sluice.fill {tile.ssa} with {text} : {tile.inside}")
        return tile

    def _reductions(self, level):
        return [n for n in needed(self.nodes) if n.op in REDUCTIONS and n.level == level]

    def _depth(self):
        return max((n.level for n in needed(self.nodes)), default=0)

    def _held(self):
        """Every tile of a row is at hand: reductions and results one after the other."""
        self.column = self.constant(0)
        self.load_all(self.nodes, lambda o: o.columns)
        for level in range(1, self._depth() + 1):
            for n in self._reductions(level):
                own = self.folded(n.op, n.of[0], n.op, kept(n, self.nodes))
                self.tiles[n.number] = self.join(n.op, own, n.op + "_of_row")
        self._store_full()

    def _store_full(self):
        for node, o in zip(self.nodes, self.outputs):
            if o.columns:
                self.rows_ahead([node])
                tile = self.map([Result(node, o.name + "_tile", o.dtype)], self.plan.rows,
                                self.plan.columns)[0]
                self.store(tile, o)

    def _each_piece(self):
        """No reduction: a CTA takes pieces of rows."""
        plan = self.plan
        across = self.index("across", "ceildivsi", self.width, self.constant(plan.columns))
        down = self.index("down", "ceildivsi", self.rows, self.constant(plan.rows))
        if plan.share:
            return self._each_strip(across, down)
        with self.blocks(self.index("pieces", "muli", down, across), True) as piece:
            self.row = self.index("row", "muli", self.index("below", "divsi", piece, across),
                                  self.constant(plan.rows))
            self.column = self.index("column", "muli",
                                     self.index("beside", "remsi", piece, across),
                                     self.constant(plan.columns))
            self._piece()

    def _lines(self):
        """The elements of rows are one line of numbers: a CTA takes lines, each of them a piece."""
        each = self.constant(self.plan.rows)
        with self.blocks(self.index("blocks", "ceildivsi", self.rows, each), True) as block:
            self.row = self.index("row", "muli", block, each)
            self.column = self.constant(0)
            self._piece()

    def _each_strip(self, across, down):
        """A share of the pieces of one strip of columns, beside those of the CTAs next to it: what
        is the same for all rows is loaded once."""
        each = self.constant(self.plan.share)
        shares = self.index("shares", "ceildivsi", down, each)
        cta = self._grid(self.index("ctas", "muli", shares, across))
        self.column = self.index("column", "muli", self.index("beside", "remsi", cta, across),
                                 self.constant(self.plan.columns))
        first = self.index("first", "muli", self.index("below", "divsi", cta, across), each)
        mine = self.index("mine", "minsi", self.index("left", "subi", down, first), each)
        self.load_all(self.nodes, lambda o: not o.rows)
        with self.loop("t", mine, True) as t:
            self.row = self.index("row", "muli", self.index("block", "addi", first, t),
                                  self.constant(self.plan.rows))
            self._piece()

    def _piece(self):
        self.load_all(self.nodes, lambda o: True)
        self._store_full()
        for node, o in zip(self.nodes, self.outputs):
            if not o.columns:
                self.store_numbers(node, o)

    # ---- Passes over the pieces of rows -----------------------------------------------------

    def _in_passes(self):
        full = [n for n, o in zip(self.nodes, self.outputs) if o.columns]
        last = max([self._depth()] + [n.level + 1 for n in full])
        for number in range(1, last + 1):
            self._pass(number, self._reductions(number), full if number == last else [],
                       number == last)

    def _pass(self, level, reductions, full, last):
        from ._passes import state_of
        taken = {n.of[0].number for n in reductions if n.op == "sumexp"}
        spread = {n.of[0].number for n in reductions if n.op == "squares"}
        states = [state_of(self, n) for n in reductions
                  if not (n.op == "max" and n.of[0].number in taken)
                  and not (n.op == "middle" and n.of[0].number in spread)]
        sources = [n.of[0] for n in reductions]
        self.rows_ahead(sources + full)
        streams = any(n.op == "input" and self.operands[n.value].columns and
                      (self.operands[n.value].rows or self.plan.parts > 1)
                      for n in self.missing(sources + full))
        with self.loop("p", self.across, streams) as p:
            if level % 2 == 0:  # what was loaded last is in the cache still
                ahead = self.index("ahead", "subi", self.across, self.constant(1))
                p = self.index("piece", "subi", ahead, p)
            self.column = self.index("column", "muli", p, self.constant(self.plan.columns))
            self.mask = None
            if not self.plan.exact:
                self.mask = self.index("end", "subi", self.width, self.column)
            self.load_all(sources + full, lambda o: o.columns, last)
            for state in states:
                state.add(backwards=level % 2 == 0)
            if full:
                self._store_full()
        self.mask = None
        for state in states:
            state.end()
