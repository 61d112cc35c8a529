"""Statements in any order: loads, maps, folds, products, copies, fills and stores, in loops and
branches inside each other."""

from .parts import COMPUTED, arguments, grid, mapped, offset, reduced, store_options

INPUTS = ["X", "Z", "W"]


def mixed(kernel):
    Mixed(kernel).draw()


class Mixed:
    def __init__(self, kernel):
        self.kernel, self.rng = kernel, kernel.rng
        rng = self.rng
        self.shape = (rng.choice([64, 64, 128]), rng.choice([8, 16, 32, 64]))
        self.tiles, self.counts, self.left = [], [], 4  # tiles to read; loop variables; stores
        self.outputs = 0

    def draw(self):
        kernel, rng = self.kernel, self.rng
        rows, columns = rng.choice([0, 5, 64, 77, 150, 200]), rng.choice([0, 8, 33, 64, 100])
        for n in INPUTS:
            kernel.tensor(n, [rows, columns], rng.choice(COMPUTED), align=rng.random() < 0.8)
        self.factors = rng.choice(["f16", "bf16"])
        kernel.tensor("A", [rows, 96], self.factors, align=rng.random() < 0.9)
        kernel.tensor("B", [96, self.shape[1]], self.factors, align=rng.random() < 0.9)
        kernel.tensor("T", [4], "i32", align=False)
        kernel.tensors["T"]["between"] = [0, 3]
        for n in range(4):  # of the iterations of one loop and of none
            kernel.tensor(f"Y{n or ''}", [3, rows, columns], rng.choice(COMPUTED), out=True,
                          align=rng.random() < 0.8)
        arguments(kernel)
        kernel.argument("count", "index", rng.choice([0, 1, 2, 3]))
        options = rng.choice([[], [], ["persistent"], ["persistent", "group = 2"]])
        self.row, self.col = grid(kernel, kernel.dim("X", 0), kernel.dim("X", 1), self.shape,
                                  options)
        self.tile()
        self.statements(rng.randint(2, 5))
        while self.outputs < 1 or (self.left and rng.random() < 0.3):
            self.store()
        for n in range(4):  # those that nothing is stored to
            if n >= self.outputs:
                del kernel.tensors[f"Y{n or ''}"]

    # ---- Statements

    def statements(self, n):
        kinds = {self.tile: 3, self.computed: 5, self.overwritten: 2, self.folded: 2,
                 self.product: 2, self.store: 3, self.loop: 2, self.branch: 2}
        for _ in range(n):
            self.rng.choices(list(kinds), list(kinds.values()))[0]()

    def some(self):
        return self.rng.choice(self.tiles[-4:] if self.rng.random() < 0.7 else self.tiles)

    def tile(self):
        """A new tile, loaded or filled."""
        kernel, rng = self.kernel, self.rng
        if rng.random() < 0.8:
            v = kernel.load(rng.choice(INPUTS), [offset(kernel, self.row), offset(
                kernel, self.col)], self.shape)
        else:
            v = kernel.alloc(self.shape, rng.choice(["f32", "f16", "bf16"]))
            kernel.fill(v, rng.choice(["0.0", "1.0", "-2.5"]))
        self.tiles.append(v)

    def inputs(self):
        return list(dict.fromkeys(self.some() for _ in range(self.rng.randint(1, 3))))

    def whole(self):
        """A tile of all columns."""
        return self.rng.choice([t for t in self.tiles if self.kernel.kinds[t][0] == self.shape])

    def computed(self):
        self.tiles.append(mapped(self.kernel, [self.whole(), *self.inputs()],
                                 self.rng.choice(COMPUTED), self.shape, self.rng.randint(0, 2)))

    def overwritten(self):
        """A tile becomes what is computed of it and others."""
        kernel, v = self.kernel, self.whole()
        kind = kernel.kinds[v][1]
        if self.rng.random() < 0.2 and kind != "i32":
            kernel.fill(v, "0.5")
        else:
            kernel.map(list(dict.fromkeys([v, *self.inputs()])), [v],
                       lambda body: body.draw([kind], self.rng.randint(0, 2)))

    def folded(self):
        v = self.whole()
        if self.kernel.kinds[v][1] != "i32":
            self.tiles.append(reduced(self.kernel, v))

    def product(self):
        """acc += A B, in a loop or not."""
        kernel, rng = self.kernel, self.rng
        acc = kernel.alloc(self.shape, "f32", "acc")
        kernel.fill(acc, "0.0")
        zero = kernel.constant(0)

        def step(k):
            a = kernel.load("A", [self.row, k], (self.shape[0], 32))
            b = kernel.load("B", [k, zero], (32, self.shape[1]))
            kernel.mma(acc, a, b)
        if rng.random() < 0.3:
            step(kernel.constant(32))
        else:
            with kernel.loop(zero, kernel.constant(3), kernel.constant(1),
                             f" {{sluice.stages = {rng.randint(1, 3)}}}") as t:
                step(kernel.times(t, 32))
        self.tiles.append(acc)

    def store(self):
        """Each to a tensor of its own, in a loop to a place of its own for each iteration."""
        kernel, rng = self.kernel, self.rng
        if self.outputs == 4:
            return
        name = f"Y{self.outputs or ''}"
        dtype = kernel.tensors[name]["dtype"]
        v = self.whole()
        if kernel.kinds[v][1] != dtype:
            v = mapped(kernel, [v], dtype, self.shape, 0)
        first = self.counts[-1] if self.counts else kernel.constant(rng.randint(0, 2))
        kernel.store(v, name, [first, self.row, self.col], None, "",
                     store_options(rng) if rng.random() < 0.2 else "")
        self.outputs += 1

    def loop(self):
        kernel, rng = self.kernel, self.rng
        if len(self.counts) > 1:
            return
        end = rng.choice(["%count", kernel.constant(3), None, None])
        if end is None and rng.random() < 0.5:
            end = kernel.dim("Y", 0)
        elif end is None:
            end = kernel.scalar_load("T", kernel.constant(rng.randint(0, 3)))
        known = len(self.tiles)
        start = kernel.constant(0) if rng.random() < 0.8 else kernel.constant(1)
        stages = f" {{sluice.stages = {rng.randint(1, 3)}}}" if rng.random() < 0.35 else ""
        with kernel.loop(start, end, kernel.constant(1), stages) as t:
            self.counts.append(t)
            self.statements(rng.randint(1, 3))
            self.overwritten()
            self.counts.pop()
        del self.tiles[known:]

    def condition(self):
        kernel, rng = self.kernel, self.rng
        of = rng.choice(["%i", "%j", "%count", *self.counts, *self.counts])
        c = kernel.scalar(rng.choice(["cmpi slt", "cmpi sge", "cmpi eq"]), of,
                          kernel.constant(rng.randint(0, 2)))
        if rng.random() < 0.3:
            other = kernel.scalar("minsi", kernel.counted(c), of)
            c = kernel.scalar("cmpi eq", other, kernel.constant(1))
        return c

    def branch(self):
        kernel, rng, known = self.kernel, self.rng, len(self.tiles)
        c = self.condition()
        with kernel.branch(c):
            self.statements(rng.randint(1, 2))
            self.overwritten()
        del self.tiles[known:]
        if rng.random() < 0.3:
            with kernel.otherwise(c):
                self.overwritten()
            del self.tiles[known:]
