"""The tensors of a fused kernel at the tile level: what it is given, the extents that its launches
are held to, loads and stores."""

CTAS = 132


class Tensors:
    """`rows`, `width`: of a tensor, its columns being those of a part where warps share a row;
    `whole`: columns of a row, over which means go; None where rows are one line of numbers. `mask`:
    what the columns of a tile that has a row or its part stay below, where some lie beyond."""

    def __init__(self, out, plan, operands, outputs):
        self.out, self.plan, self.operands, self.outputs = out, plan, operands, outputs
        self.ssa = {o.name: "%" + out.name(o.name) for o in (*operands, *outputs)}
        self.rows = self.width = self.whole = self.mask = None

    def type(self, o):
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
        return (f'{self.ssa[o.name]}: !sluice.tensor{self.type(o)} '
                f'{{sluice.name = "{o.name}"{marks}{joined}}}')

    def given(self):
        return ([self._given(o) for o in self.operands] +
                [self._given(o, ", sluice.out") for o in self.outputs])

    # ---- Extents ----------------------------------------------------------------------------

    def _extent(self, wish, o, dim):
        return self.out.value(wish, f"sluice.dim {self.ssa[o.name]}, {dim} : {self.type(o)}")

    def _assume(self, condition, words):
        self.out.put(f'sluice.assume {condition}, "{words}"')

    def extents(self):
        """At the head of the kernel, behind its constants."""
        plan = self.plan
        for value in {0, 1, plan.rows, plan.columns, plan.share or CTAS, plan.parts}:
            self.out.constant(value)
        first = next(o for o in self.operands if o.full)
        last = 2 if plan.parts > 1 else 1
        self.rows = self._extent("lines" if plan.line else "rows", first, 0)
        if plan.line:  # Frame has held all tensors against each other, and no mean is asked for
            return
        self.width = (self.out.constant(plan.part) if plan.row
                      else self._extent("columns", first, last))
        self._same_extents(first, last)
        self._columns()

    def _same_extents(self, first, last):
        for o in (*self.operands, *self.outputs):
            for differs, dim, mine, word in (
                    (o.rows, 0, self.rows, "rows"),
                    (o.columns and not self.plan.row, last, self.width, "columns")):
                if differs and o is not first:
                    same = self.out.index("same", "cmpi eq,", mine, self._extent("extent", o, dim))
                    self._assume(same, f"{first.name} and {o.name} have as many {word}")

    def _columns(self):
        """What is known of the columns of a row, its parts and its pieces."""
        plan, out = self.plan, self.out
        self.whole = self.width
        if plan.row:
            self.whole, self.mask = out.constant(plan.row), self.width
        elif plan.parts > 1:
            self.whole = out.index("whole", "muli", self.width, out.constant(plan.parts))
        if plan.held and not plan.row:
            op, word = ("eq", "") if plan.exact else ("sle", "at most ")
            fits = out.index("fits", f"cmpi {op},", self.width, out.constant(plan.columns))
            self._assume(fits, f"a row or its part has {word}{plan.columns} columns")
            self.mask = None if plan.exact else self.width
        elif plan.along and plan.exact:
            rest = out.index("rest", "remsi", self.width, out.constant(plan.columns))
            self._assume(out.index("whole_pieces", "cmpi eq,", rest, out.constant(0)),
                         f"pieces of {plan.columns} columns make a row or its part")

    # ---- Loads and stores -------------------------------------------------------------------

    def shape(self, o):
        """Of a tile of this tensor."""
        plan = self.plan
        shared = plan.parts > 1 and o.columns  # a line of the tile is a part of a row
        lines = plan.rows if shared or o.rows and plan.parts == 1 else 1
        return lines, plan.columns if o.columns else 1

    def _at(self, row, column, shared):
        return f"{row}, {self.out.constant(0)}, {column}" if shared else f"{row}, {column}"

    def load(self, o, tile, row, column, last):
        """`last`: nobody reads it again."""
        zero = self.out.constant(0)
        at = self._at(row if o.rows else zero, column if o.columns else zero,
                      self.plan.parts > 1 and o.columns)
        hint = " cache evict_first" if last and o.full else ""
        self.out.put(f"sluice.load {self.ssa[o.name]}[{at}] to {tile.ssa}{hint} : "
                     f"{self.type(o)}, {tile.inside}")

    def store(self, tile, o, row, column):
        at = self._at(row, column, self.plan.parts > 1)
        self.out.put(f"sluice.store {tile.ssa} to {self.ssa[o.name]}[{at}] "
                     f"{{sluice.staging = {self.plan.staging} : i64}} : {tile.inside}, "
                     f"{self.type(o)}")

    def store_numbers(self, tile, o, row):
        """One number a row; where warps share a row, each has it, and the first one's is stored."""
        to = self.ssa[o.name]
        if self.plan.parts > 1:
            end = self.out.index("next", "addi", row, self.out.constant(1))
            to = self.out.value("own", f"sluice.clip {to}, 0 to {end} : {self.type(o)}")
        self.out.put(f"sluice.store {tile.ssa} to {to}[{row}, {self.out.constant(0)}] : "
                     f"{tile.inside}, {self.type(o)}")
