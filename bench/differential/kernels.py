"""Kernels drawn at random, by family: which operations stand around each other."""

from .attention import softmax
from .known import SIZE
from .mixed import mixed
from .parts import (COMPUTED, arguments, batched, cache, declare_more, extents, grid, loop_options,
                    mapped, more_inputs, of_batches, offset, output,
                    output_extents, reduced, result, store_options)
from .roles import Roles
from .tiles import Kernel


def draw(name, rng):
    kernel = Kernel(name, rng)
    families = {maps: 32, products: 36, gathered: 10, softmax: 8, states: 8, moved: 6, mixed: 24}
    family = rng.choices(list(families), list(families.values()))[0]
    kernel.family = family.__name__
    kernel.batches = [rng.choice([0, 1, 2, 3])] if family in (maps, products) and (
        rng.random() < 0.12) else []
    if family in (maps, products, mixed) and rng.random() < 0.3:
        kernel.roles = Roles(rng, drawn=True)
        kernel.family += " by roles"
    family(kernel)
    return kernel


def maps(kernel):
    """Element functions and folds of loaded tiles, one or two outputs, sometimes in batches."""
    rng = kernel.rng
    tile = (rng.choice([64, 64, 128, 256]), rng.choice([8, 16, 24, 32, 40, 64, 72, 128]))
    # Whole rows to a warp, where nothing asks for fragments; roles share rows by warpgroups.
    if rng.random() < 0.3 and not kernel.roles.drawn:
        tile = (rng.choice([4, 8, 12, 32]), rng.choice([256, 512, 768]))
    rows, columns = extents(rng)
    names, outputs = ["X", "Z", "W"][:rng.randint(1, 3)], ["Y", "Q"][:rng.choice([1, 1, 2])]
    for n in names:
        batch = batched(kernel, 0.8)
        kernel.tensor(n, batch + [rows, columns], rng.choice(COMPUTED), align=rng.random() < 0.8,
                      minor=len(batch) + rng.choice([0, 1, 1, 1, 1]), fixed=rng.random() < 0.1)
    declare_more(kernel, rows, columns, 0.15)
    for n in outputs:
        output(kernel, n, rows, columns)
    arguments(kernel)
    options = rng.choice([[], [], ["persistent"], ["persistent", "group = 2"],
                          ["cluster = array<i64: 2, 1>"]])
    row, col = grid(kernel, *output_extents(kernel), tile, of_batches(kernel, options))
    inputs = [kernel.load(n, [offset(kernel, row), offset(kernel, col)], tile, None, cache(rng))
              for n in names]
    inputs += more_inputs(kernel, row, col, tile)
    if rng.random() < 0.45:
        inner = mapped(kernel, inputs, rng.choice(["f32", "f32", "f16", "bf16"]), tile)
        inputs = [inner] + [reduced(kernel, inner) for _ in range(rng.randint(1, 2))]
    for n in outputs:
        result(kernel, inputs, n, row, col, tile)


def operand(kernel, name, rows, columns, dtype, along):
    """A tensor of an operand: contiguous along K where its type asks for it; `along`: which
    dimension K is. Sometimes it is stored transposed. Returns whether it is."""
    rng = kernel.rng
    turned = rng.random() < 0.3
    minor = along if SIZE[dtype] != 2 else rng.choice([0, 1, 1])
    shape = [rows, columns]
    if turned:
        shape, minor = shape[::-1], 1 - minor
    batch = batched(kernel, 0.8)
    kernel.tensor(name, batch + shape, dtype, align=kernel.aligned, minor=len(batch) + minor)
    return turned


def operand_tile(kernel, name, turned, row, col, shape):
    if turned:
        return kernel.transpose(kernel.load(name, [col, row], shape[::-1], None, cache(kernel.rng)))
    return kernel.load(name, [row, col], shape, None, cache(kernel.rng))


def product_types(rng):
    a = rng.choice(["f16", "bf16", "f16", "bf16", "tf32", "e4m3", "e5m2", "i8"])
    b = rng.choice(["e4m3", "e5m2"]) if a in ("e4m3", "e5m2") else a
    return a, b, "i32" if a == "i8" else "f32"


def step_of(rng, dtype):
    return rng.choice({4: [8, 16, 32], 2: [16, 32, 64, 64, 64], 1: [32, 64, 128]}[SIZE[dtype]])


def product_grid(kernel, tile):
    """Options of a grid and of the loop of steps."""
    rng = kernel.rng
    kind = rng.choice(["plain"] * 3 + ["persistent", "group", "cluster", "ahead", "turns",
                                       "split" if tile[1] > 8 else "plain"])
    both = rng.random() < 0.5
    options = {"persistent": ["persistent"],
               "group": ["persistent", f"group = {rng.randint(1, 4)}"],
               "cluster": [f"cluster = array<i64: {rng.choice(['2, 1', '1, 2', '2, 2'])}>"] +
               (["persistent"] if both else []),
               "ahead": ["sluice.load_ahead"] + (["persistent"] if both else []),
               "turns": ["persistent", "sluice.turns = 2"]}.get(kind, [])
    loop = [f"sluice.stages = {rng.randint(1, 4)}", 'sluice.name = "k"']
    if kind == "split":
        loop.append(f"sluice.split = {rng.choice([2, 4]) if tile[1] % 32 == 0 else 2}")
    if options and "persistent" in options and rng.random() < 0.2:
        loop.append("sluice.alternate")
    return kind, options, " {" + ", ".join(loop) + "}"


def products(kernel):
    """A loop of products, and what is computed of the sums."""
    rng = kernel.rng
    a_type, b_type, sums = product_types(rng)
    tile = (rng.choice([64, 64, 128, 128, 256]), rng.choice([8, 16, 32, 48, 64, 96, 128]))
    rows, columns = extents(rng, small=True)
    depth, step = rng.choice([0, 1, 32, 64, 100, 200]), step_of(rng, a_type)
    kernel.aligned = rng.random() < 0.8
    turned_a = operand(kernel, "A", rows, depth, a_type, 1)
    depth = kernel.tensors["A"]["shape"][-2 if turned_a else -1]
    turned_b = operand(kernel, "B", depth, columns, b_type, 0)
    kind, options, loop = product_grid(kernel, tile)
    kernel.coordinates = kind != "split"
    declare_more(kernel, rows, columns, 0.25)
    outputs = ["Y", "Q"][:rng.choice([1, 1, 1, 2])]
    for n in outputs:
        output(kernel, n, rows, columns)
    arguments(kernel)
    row, col = grid(kernel, *output_extents(kernel), tile, of_batches(kernel, options))
    acc = kernel.alloc(tile, sums, "acc")
    kernel.fill(acc, "0.0")
    steps = kernel.scalar("ceildivsi", kernel.extent("A", 0 if turned_a else 1),
                          kernel.constant(step))
    a_row, b_col = (offset(kernel, row, 8), offset(kernel, col, 8)) if rng.random() < 0.3 else (
        row, col)
    summed(kernel, acc, (a_row, turned_a), (b_col, turned_b), steps, (tile, step), loop)
    inputs = [acc]
    if kind != "split":
        inputs += more_inputs(kernel, row, col, tile)
        if sums == "f32" and rng.random() < 0.35:
            inner = mapped(kernel, inputs, "f32", tile)
            inputs = [inner, reduced(kernel, inner)]
    for n in outputs:
        result(kernel, inputs, n, row, col, tile, store_options(rng))


def summed(kernel, acc, a_place, b_place, steps, sizes, options):
    """for t: acc += A[row, t] B[t, col]; a is sometimes computed before it is multiplied."""
    rng, (tile, step) = kernel.rng, sizes
    dtype = kernel.tensors["A"]["dtype"]
    computed = SIZE[dtype] == 2 and rng.random() < 0.15 and not a_place[1]
    with kernel.loop(kernel.constant(0), steps, kernel.constant(1), options) as t:
        k = kernel.times(t, step)
        a = operand_tile(kernel, "A", a_place[1], a_place[0], k, (tile[0], step))
        b = operand_tile(kernel, "B", b_place[1], k, b_place[0], (step, tile[1]))
        if computed:
            a = mapped(kernel, [a], dtype, (tile[0], step), rng.randint(0, 2))
        kernel.mma(acc, a, b)


def gathered(kernel):
    """Numbers of a tensor say which rows, how many steps, or where a result ends."""
    rng = kernel.rng
    dtype = rng.choice(["f16", "bf16"])
    tile, step = (rng.choice([64, 128]), rng.choice([16, 32, 64])), 64
    rows, columns, depth = rng.choice([0, 64, 77, 200]), rng.choice([8, 64, 100]), 200
    kernel.tensor("A", [rows, depth], dtype, align=rng.random() < 0.8)
    kernel.tensor("B", [kernel.tensors["A"]["shape"][1], columns], dtype, align=rng.random() < 0.8)
    tiles = -(-rows // tile[0])
    kernel.tensor("T", [tiles + 1], "i32", align=False)
    kernel.tensors["T"]["between"] = [0, 4]
    kernel.tensor("Y", [rows, columns], rng.choice(["f32", "f16", "bf16"]), out=True,
                  align=rng.random() < 0.8)
    arguments(kernel)
    options = rng.choice([[], [], ["persistent"]])
    row, col = grid(kernel, kernel.dim("Y", 0), kernel.dim("Y", 1), tile, options)
    number = kernel.scalar_load("T", "%i")
    kind = rng.choice(["rows", "steps", "clip", "rows and steps"])
    a_row = kernel.times(number, tile[0]) if "rows" in kind else row
    steps = kernel.scalar("ceildivsi", kernel.dim("A", 1), kernel.constant(step))
    if "steps" in kind:
        steps = kernel.scalar("minsi", number, steps)
    acc = kernel.alloc(tile, "f32", "acc")
    kernel.fill(acc, "0.0")
    _, loop = loop_options(rng)
    summed(kernel, acc, (a_row, False), (col, False), steps, (tile, step), loop)
    out = mapped(kernel, [acc], kernel.tensors["Y"]["dtype"], tile)
    if kind != "clip":
        return kernel.store(out, "Y", [row, col], None, "", store_options(rng))
    end = kernel.scalar("addi", row, kernel.times(number, rng.choice([8, 17, 30])))
    kernel.store(out, "Y", [row, col], kernel.clip("Y", 0, end))


def states(kernel):
    """A tile that a loop carries: folded with tiles that it loads, of which an extent, an argument
    or a number of a tensor says how many."""
    rng = kernel.rng
    tile = (rng.choice([64, 128]), rng.choice([8, 16, 32, 64]))
    rows, columns = rng.choice([0, 5, 64, 150]), rng.choice([0, 8, 60, 100])
    trips = rng.choice(["extent", "argument", "data"])
    kernel.tensor("X", [rows, columns], rng.choice(["f32", "f16", "bf16"]),
                  align=rng.random() < 0.8)
    if trips == "data":
        kernel.tensor("T", [2], "i32", align=False)
        kernel.tensors["T"]["between"] = [0, 4]
    kernel.tensor("Y", [rows, tile[1]], rng.choice(COMPUTED), out=True)
    arguments(kernel)
    if trips == "argument":
        kernel.argument("count", "index", rng.choice([0, 1, 2, 5, -1]))
    zero, one = kernel.constant(0), kernel.constant(1)
    i, = kernel.grid([kernel.scalar("ceildivsi", kernel.dim("Y", 0), kernel.constant(tile[0]))],
                     rng.choice(["", "", " {persistent}"]))
    row = kernel.times(i, tile[0])
    if trips == "extent":
        end = kernel.scalar("ceildivsi", kernel.dim("X", 1), kernel.constant(tile[1]))
    else:
        end = kernel.scalar_load("T", one) if trips == "data" else "%count"
    state = kernel.alloc(tile, rng.choice(["f32", "f32", "bf16"]), "state")
    kernel.fill(state, rng.choice(["0.0", "1.0", "-2.5"]))
    with kernel.loop(zero, end, one) as t:
        x = kernel.load("X", [offset(kernel, row), kernel.times(t, tile[1])], tile)
        inputs = [state, x]
        if rng.random() < 0.4:
            inputs.append(reduced(kernel, x))
        kind = kernel.kinds[state][1]
        operations = rng.randint(1, 3)
        kernel.map(inputs, [state], lambda body: body.draw([kind], operations))
    result(kernel, [state], "Y", row, zero, tile)


def moved(kernel):
    """A tile stored as it was loaded, of any type."""
    rng = kernel.rng
    dtype = rng.choice(["f32", "f16", "bf16", "i32", "tf32", "e4m3", "e5m2", "i8"])
    tile = (rng.choice([64, 128]), rng.choice([16, 32, 64, 128]))
    rows, columns = extents(rng)
    kernel.tensor("X", [rows, columns], dtype, align=rng.random() < 0.8)
    kernel.tensor("Y", [rows, columns], dtype, out=True, align=rng.random() < 0.8)
    arguments(kernel)
    row, col = grid(kernel, kernel.dim("Y", 0), kernel.dim("Y", 1), tile,
                    rng.choice([[], ["persistent"]]))
    x = kernel.load("X", [offset(kernel, row), offset(kernel, col)], tile, None, cache(rng))
    kernel.store(x, "Y", [row, col], None, cache(rng))
