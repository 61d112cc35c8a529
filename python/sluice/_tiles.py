"""Tiles of a fused kernel: which nodes have one, element functions and folds of them."""

import math
import struct
from typing import NamedTuple

from ._graph import TRUTHS, Graph, keeps_zero, needed
from ._text import Body

_FOLDS = {"sum": ("arith.addf", "0.0"), "prod": ("arith.mulf", "1.0"),
          "max": ("arith.maximumf", "-inf"), "min": ("arith.minimumf", "inf")}
FROM = {"sum": 0.0, "prod": 1.0, "max": float("-inf"), "min": float("inf")}  # what changes nothing


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


class Tiles:
    """`known`: by the numbers of nodes the tiles that hold them. `mask`: what the columns of a tile
    stay below at this place, where some lie beyond the tensor's."""

    def __init__(self, out, plan, tensors, scalars, approximate):
        self.out, self.plan, self.tensors = out, plan, tensors
        self.scalars, self.approximate = scalars, approximate
        self.known = {}
        self.mask = None
        self._line = None  # of the element, in the body of a map with coordinates

    def alloc(self, wish, rows, columns, dtype, zeros=False):
        name = self.out.name(wish)
        tile = Tile("%" + name, rows, columns, dtype, zeros)
        self.out.put(f'{tile.ssa} = sluice.alloc "{name}" : {tile.type}')
        return tile

    def filled(self, wish, value):
        """A tile of one number a row, all this."""
        tile = self.alloc(wish, self.plan.rows, 1, "f32")
        text = value if math.isfinite(value) else "0x" + struct.pack(">d", value).hex().upper()
        self.out.put(f"sluice.fill {tile.ssa} with {text} : {tile.inside}")
        return tile

    def missing(self, nodes):
        """What has no tile yet of all that it takes to compute the nodes, in order."""
        found, todo = {}, list(nodes)
        while todo:
            n = todo.pop()
            if n.number not in self.known and n.number not in found:
                found[n.number] = n
                todo.extend(n.of)
        return [found[number] for number in sorted(found)]

    # ---- Element functions ------------------------------------------------------------------

    def map(self, results, rows, columns, into=None, masked=True):
        """Tiles of these, all of one shape; `into`: those that are overwritten."""
        leaves = self.leaves([r.node for r in results])
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
                    value = b.selected(inside, value, b.constant(r.outside))
                values.append(b.rounded(value, r.dtype))
            return values

        self.each([(n, self.known[n]) for n in leaves], made, body, masks)
        return made

    def inside(self, column):
        """Whether this column of a tile is in the tensor, in the body of a map."""
        end = self.mask
        if self.plan.row:  # where the row ends, a part does
            before = self.out.index("before", "muli", self._line, self.tensors.width)
            left = self.out.index("left", "subi", self.tensors.whole, before)
            end = self.out.index("end", "minsi", end, left)
        return self.out.value("in", f"arith.cmpi slt, {column}, {end} : index")

    def zeros(self, node):
        def known(n):
            tile = self.known.get(n.number)
            return None if tile is None or n.op == "input" else tile.zeros
        return keeps_zero(node, known)

    def leaves(self, nodes):
        """Numbers of the nodes that have tiles and that these are of without another between."""
        found, seen, todo = [], set(), list(reversed(nodes))
        while todo:
            n = todo.pop()
            if n.number in seen:
                continue
            seen.add(n.number)
            if n.number in self.known:
                found.append(n.number)
            else:
                todo.extend(reversed(n.of))
        return found

    def each(self, given, made, body, coordinates=False):
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
            column, self._line = "%" + out.name("j"), "%" + out.name("i")
            heads += [f"{self._line}: index", f"{column}: index"]
        out.lines.append("  " * (out.depth - 1) + f"^bb0({', '.join(heads)}):")
        wide, places = {}, {number: k for k, (number, _) in enumerate(given)}

        def leaf(n):
            k = places.get(n.number)
            return None if k is None else argument(k)

        def argument(k):
            if k not in wide:
                wide[k] = b.widened(arguments[k], tiles[k].dtype)
            return wide[k]

        b = Body(out, leaf, self.scalars, self.tensors.whole, self.approximate)
        values = body(b, argument, column)
        out.put(f"sluice.yield {', '.join(values)} : {', '.join(t.dtype for t in made)}")

    def numbers(self, wish, given, body, into=None):
        """Numbers of rows or of their parts, body(Body, values) of tiles of such."""
        made = into or self.alloc(wish, given[0].rows, given[0].columns, "f32")
        self.each([(None, t) for t in given], [made],
                  lambda b, argument, _: [body(b, *map(argument, range(len(given))))])
        return made

    def numbers_of_parts(self, wish, given, body):
        """Likewise body(Body, columns, values), with the columns that a part of a row has."""
        made = self.alloc(wish, given[0].rows, given[0].columns, "f32")

        def values(b, argument, column):
            columns = self._columns_of_part(b, self._line if made.columns == 1 else column)
            return [body(b, columns, *map(argument, range(len(given))))]

        self.each([(None, t) for t in given], [made], values, bool(self.plan.row))
        return made

    def _columns_of_part(self, b, part):
        index, width = self.out.index, self.tensors.width
        if not self.plan.row:
            return b.index(width)
        left = index("left", "subi", self.tensors.whole, index("before", "muli", part, width))
        return b.index(index("own", "maxsi", index("most", "minsi", left, width),
                             self.out.constant(0)))

    def rows_ahead(self, nodes):
        """Tiles of all numbers of rows, or of their parts, that full tiles are computed of."""
        wanted, seen, todo = [], set(), list(nodes)
        while todo:
            n = todo.pop()
            if n.number in self.known or n.number in seen:
                continue
            seen.add(n.number)
            if n.columns or n.op in TRUTHS:  # of which there are no tiles
                todo.extend(n.of)
            elif n.rows:
                wanted.append(n)
        tall = self.plan.rows if self.plan.parts == 1 else 1
        for wish, rows, parts in (("of_row", tall, False), ("of_part", self.plan.rows, True)):
            nodes = sorted((n for n in wanted if n.parts == parts), key=lambda n: n.number)
            if nodes:
                made = self.map([Result(n, wish) for n in nodes], rows, 1)
                self.known.update((n.number, t) for n, t in zip(nodes, made))

    # ---- Folds ------------------------------------------------------------------------------

    def fold(self, op, tile, wish, node=None):
        """The numbers of rows of a tile; of the node that is of the tile alone, if given."""
        name, start = _FOLDS[op]
        made = self.alloc(wish, tile.rows, 1, "f32")
        self.out.put(f"sluice.reduce ins({tile.ssa} : {tile.type}) outs({made.ssa} : {made.type}) "
                     f"axis 1 from [{start}] {{")
        with self.out.body():
            self._fold_body(name, tile, node)
        self.out.put("}")
        return made

    def _fold_body(self, name, tile, node):
        out, wide = self.out, []
        state, x = "%" + out.name("state"), "%" + out.name(tile.ssa[1:] + "_")
        out.lines.append("  " * (out.depth - 1) + f"^bb0({state}: f32, {x}: {tile.dtype}):")

        def leaf(n):
            if n.number not in self.known:
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
        leaves = self.leaves([node])
        if len(leaves) != 1 or any(n.op in ("argument", "width") for n in needed([node])):
            return None
        tile = self.known[leaves[0]]
        return tile if tile.columns > 1 and tile.rows == self.plan.rows else None

    def folded(self, op, node, wish, keep=False):
        """The numbers of rows of a full node. `keep`: its tile is there for who comes later."""
        self.rows_ahead([node])
        masked = self.mask and not (op == "sum" and self.zeros(node))
        tile = None if masked else self._alone(node)
        if tile and not (keep and node.number not in self.known):
            return self.fold(op, tile, wish, node=node)
        made = self.map([Result(node, "of_" + wish, outside=FROM[op] if masked else None)],
                        self.plan.rows, self.plan.columns)[0]
        if keep:
            self.known[node.number] = made
        return self.fold(op, made, wish)

    def squares(self, tile, wish):
        """The sums of squares along the rows of a tile."""
        graph = Graph()
        x = graph.node("input", rows=True, columns=True)
        square = graph.node("mul", x, x)
        known, self.known = self.known, {x.number: tile}
        made = self.fold("sum", tile, wish, node=square)
        self.known = known
        return made

    # ---- Parts of rows ----------------------------------------------------------------------

    def of_all_parts(self, numbers):
        """Where warps share a row: of each of these numbers those of all its parts side by side, in
        one exchange."""
        if self.plan.parts == 1:
            return numbers
        alls = [self.alloc("all_" + t.ssa[1:], 1, t.rows, t.dtype) for t in numbers]
        for tile, all_of_it in zip(numbers, alls):
            turned = self.out.value("turned", f"sluice.transpose {tile.ssa} : {tile.inside}")
            self.out.put(f"sluice.copy {turned} to {all_of_it.ssa} : "
                         f"<1x{tile.rows}x{tile.dtype}, minor 0>, {all_of_it.inside}")
        return alls

    def join(self, op, numbers, wish):
        """What the numbers of all parts of a row are together."""
        return self.fold(op, numbers, wish) if self.plan.parts > 1 else numbers
