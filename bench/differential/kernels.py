"""Kernels drawn at random, by family: which operations stand around each other."""

from . import known
from .known import SIZE
from .tiles import Kernel

COMPUTED = ["f32", "f32", "f16", "bf16", "i32"]
COMBINES = [("addf", "0.0"), ("maximumf", "-inf"), ("minimumf", "inf"), ("maxnumf", "-inf"),
            ("minnumf", "inf"), ("mulf", "1.0"), ("maxnumf", "0.5")]


def draw(name, rng):
    kernel = Kernel(name, rng)
    families = {maps: 32, products: 36, gathered: 10, softmax: 8, states: 8, moved: 6}
    family = rng.choices(list(families), list(families.values()))[0]
    kernel.family = family.__name__
    kernel.batches = [rng.choice([0, 1, 2, 3])] if family in (maps, products) and (
        rng.random() < 0.12) else []
    family(kernel)
    return kernel


# ---- Parts

def cache(rng):
    return rng.choice(["", "", "", " cache evict_first", " cache evict_last"])


def extents(rng, small=False):
    """Rows and columns: ragged, none, less than a tile."""
    rows = rng.choice([0, 1, 5, 64, 77, 128, 153, 200, 300])
    columns = rng.choice([0, 1, 8, 33, 60, 64, 100, 152])
    return (min(rows, 153), columns) if small else (rows, columns)


def arguments(kernel):
    if kernel.rng.random() < 0.3:
        kernel.argument("alpha", "f32", kernel.rng.choice([0.5, -1.25, 3.0, 0.0, 1e-30]))
    if kernel.rng.random() < 0.3:
        kernel.argument("shift", "index", kernel.rng.choice([0, 1, 2, 64, -3, 100]))


def offset(kernel, at, align=1):
    """A coordinate, now and then shifted: by a constant, an argument, or what takes more than 32
    bits."""
    rng, kind = kernel.rng, kernel.rng.random()
    if kind < 0.55:
        return at
    if kind < 0.75:
        by = rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 33, 64, -1, -2, -3, -4, -8, -17, -64])
        return kernel.add(at, by * align)
    if kind < 0.88 and "shift" in kernel.arguments:
        by = kernel.times("%shift", align) if align > 1 else "%shift"
        return kernel.scalar("addi", at, by)
    wide = kernel.times(kernel.add(at, 1000003), rng.choice([4099, 65537, -77777]))
    return kernel.scalar("addi", at, kernel.times(
        kernel.scalar("remsi", wide, kernel.constant(7)), align))


def grid(kernel, rows, columns, tile, options):
    """Coordinates of the CTA's tile in the output, by extents that are scalars."""
    down = kernel.scalar("ceildivsi", rows, kernel.constant(tile[0]))
    across = kernel.scalar("ceildivsi", columns, kernel.constant(tile[1]))
    batches = [kernel.dim("Y", 0)] if kernel.batches else []
    i, j, *kernel.batch = kernel.grid([down, across, *batches],
                                      f" {{{', '.join(options)}}}" if options else "")
    return kernel.times(i, tile[0]), kernel.times(j, tile[1])


def batched(kernel, likely=1.0):
    """The first extent of a tensor of a batch, or nothing."""
    return kernel.batches if kernel.rng.random() < likely else []


def mapped(kernel, inputs, dtype, shape, operations=None):
    """A map of tiles to one of the type and shape."""
    rng = kernel.rng
    out = kernel.alloc(shape, dtype, "m")
    floats = dtype in known.FLOATS and kernel.kinds[inputs[0]][1] in known.FLOATS
    if len(inputs) == 1 and floats and kernel.kinds[inputs[0]][0] == shape and rng.random() < 0.1:
        return kernel.copy(inputs[0], out) or out
    operations = rng.randint(0, 6) if operations is None else operations
    kernel.map(inputs, [out], lambda body: body.draw([dtype], operations))
    return out


def reduced(kernel, v):
    """Each row of a tile folded, of the element or of a function of it."""
    rng = kernel.rng
    op, start = rng.choice(COMBINES)

    def element(body):
        return body.draw(["f32"], rng.randint(0, 2))[0]
    return kernel.reduce(v, op, start, element if rng.random() < 0.6 else None)


def result(kernel, inputs, name, row, col, shape, attributes=""):
    """What is computed of tiles, stored: whole, clipped, transposed."""
    rng, out = kernel.rng, kernel.tensors[name]
    tile = mapped(kernel, inputs, out["dtype"], shape)
    if out.get("turned"):
        return kernel.store(kernel.transpose(tile), name, [col, row], None, cache(rng), attributes)
    view = None
    if rng.random() < 0.12:
        dimension = rng.randint(0, 1)
        end = kernel.add(kernel.extent(name, dimension), rng.choice([-1, -5, -40]))
        view = kernel.clip(name, dimension, end)
    return kernel.store(tile, name, [row, col], view, "" if view else cache(rng), attributes)


def output(kernel, name, rows, columns):
    """Sometimes stored transposed, or with its columns contiguous."""
    rng, kind = kernel.rng, kernel.rng.random()
    shape = [columns, rows] if kind < 0.1 else [rows, columns]
    before = len(kernel.batches)
    kernel.tensor(name, kernel.batches + shape, rng.choice(COMPUTED), out=True,
                  align=rng.random() < 0.8, minor=before + (0 if 0.1 < kind < 0.18 else 1))
    kernel.tensors[name]["turned"] = kind < 0.1


def output_extents(kernel):
    """Scalars: rows and columns of what Y holds."""
    turned = kernel.tensors["Y"]["turned"]
    return kernel.extent("Y", int(turned)), kernel.extent("Y", int(not turned))


def more_inputs(kernel, row, col, tile):
    """Tiles of tensors beside: of the tile's shape, of its rows or its columns, clipped."""
    rng, tiles = kernel.rng, []
    for name in ["R", "V", "U"]:
        if name not in kernel.tensors:
            continue
        shape = kernel.tensors[name]["shape"]
        r, c = offset(kernel, row), offset(kernel, col)
        zero = kernel.constant(0)
        if len(shape) == 1:
            tiles.append(kernel.load(name, [c], (1, tile[1])))
        elif name == "U":
            tiles.append(kernel.load(name, [r, zero], (tile[0], 1)))
        elif rng.random() < 0.2:
            end = kernel.add(kernel.dim(name, 0), -rng.choice([1, 30]))
            tiles.append(kernel.load(name, [r, c], tile, kernel.clip(name, 0, end)))
        else:
            tiles.append(kernel.load(name, [r, c], tile, None, cache(rng)))
    return tiles


def declare_more(kernel, rows, columns, likely):
    rng = kernel.rng
    if rng.random() < likely:
        kernel.tensor("R", [rows, columns], rng.choice(COMPUTED), align=rng.random() < 0.7)
    if rng.random() < likely:
        kernel.tensor("V", [columns], rng.choice(["f32", "f16", "bf16"]), align=rng.random() < 0.5)
    if rng.random() < likely / 2:
        kernel.tensor("U", [rows, 1], "f32", align=False)


# ---- Families

def maps(kernel):
    """Element functions and folds of loaded tiles, one or two outputs, sometimes in batches."""
    rng = kernel.rng
    tile = (rng.choice([64, 64, 128, 256]), rng.choice([8, 16, 24, 32, 40, 64, 72, 128]))
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


def loop_options(rng):
    stages = rng.randint(1, 4)
    return stages, f' {{sluice.stages = {stages}, sluice.name = "k"}}'


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


def of_batches(kernel, options):
    """A cluster has an extent for each of the grid."""
    more = ", 1>" if kernel.batches else ">"
    return [o.replace(">", more) if "cluster" in o else o for o in options]


def store_options(rng):
    return rng.choice(["", "", " {sluice.staging = 0}", " {sluice.staging = 1}",
                       " {sluice.staging = 2}"])


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


def softmax(kernel):
    """Attention over blocks of keys: maximum, sum and result are carried through the loop."""
    rng = kernel.rng
    dtype, tile = rng.choice(["f16", "bf16"]), rng.choice([64, 128])
    block, head = rng.choice([32, 64, 128]), rng.choice([32, 64])
    rows, keys = rng.choice([1, 64, 77, 200]), rng.choice([0, 1, 64, 100, 200])
    for n, extent in (("A", rows), ("K", keys), ("B", keys)):
        kernel.tensor(n, [extent, head], dtype, align=rng.random() < 0.9)
    kernel.tensor("Y", [rows, head], rng.choice(["f32", "f16", "bf16"]), out=True)
    options = rng.choice(["", "", " {persistent}"])
    i, = kernel.grid([kernel.scalar("ceildivsi", kernel.dim("A", 0), kernel.constant(tile))],
                     options)
    row, zero = kernel.times(i, tile), kernel.constant(0)
    q = kernel.load("A", [row, zero], (tile, head))
    most, total, acc = (kernel.alloc((tile, n), "f32", s) for n, s in ((1, "most"), (1, "total"),
                                                                        (head, "acc")))
    kernel.fill(most, "-1.0e+30")
    kernel.fill(total, "0.0")
    kernel.fill(acc, "0.0")
    steps = kernel.scalar("ceildivsi", kernel.dim("K", 0), kernel.constant(block))
    with kernel.loop(zero, steps, kernel.constant(1), loop_options(rng)[1]) as t:
        attended(kernel, (q, most, total, acc), kernel.times(t, block), (tile, block, head))
    out = kernel.alloc((tile, head), kernel.tensors["Y"]["dtype"], "m")
    guard = rng.random() < 0.5

    def divided(body):
        (x, _), (s, _) = body.arguments[:2]
        if guard:
            one = body.constant("f32", 1.0)
            s = body.add(f"arith.maximumf {s}, {one} : f32", "f32",
                         lambda a, b: known.binary("maximumf", "f32", a, b), [s, one])
        quotient = body.add(f"arith.divf {x}, {s} : f32", "f32",
                            lambda a, b: known.binary("divf", "f32", a, b), [x, s])
        return [body.converted(quotient, "f32", kernel.tensors["Y"]["dtype"])]
    kernel.map([acc, total], [out], divided)
    kernel.store(out, "Y", [row, zero])


def attended(kernel, state, at, sizes):
    """One block of keys and values."""
    q, most, total, acc = state
    tile, block, head = sizes
    dtype, zero = kernel.tensors["A"]["dtype"], kernel.constant(0)
    keys = kernel.transpose(kernel.load("K", [at, zero], (block, head)))
    s = kernel.alloc((tile, block), "f32", "s")
    kernel.fill(s, "0.0")
    kernel.mma(s, q, keys)
    top = kernel.reduce(s, "maxnumf", "-1.0e+30")
    new = kernel.alloc((tile, 1), "f32", "new")
    kernel.map([most, top], [new], lambda b: [_two(b, "maximumf")])
    factor = kernel.alloc((tile, 1), "f32", "factor")
    kernel.map([most, new], [factor], lambda b: [_function(b, "exp", _two(b, "subf"))])
    p = kernel.alloc((tile, block), "f32", "p")
    kernel.map([s, new], [p], lambda b: [_function(b, "exp", _two(b, "subf"))])
    row_sum = kernel.reduce(p, "addf", "0.0")
    kernel.map([total, factor, row_sum], [total], _advanced)
    kernel.map([acc, factor], [acc], lambda b: [_two(b, "mulf")])
    narrow = kernel.alloc((tile, block), dtype, "narrow")
    kernel.map([p], [narrow], lambda b: [b.converted(b.arguments[0][0], "f32", dtype)])
    values = kernel.load("B", [at, zero], (block, head))
    kernel.mma(acc, narrow, values)
    kernel.map([new], [most], lambda b: [b.arguments[0][0]])


def _two(body, op, names=None):
    a, b = names or (body.arguments[0][0], body.arguments[1][0])
    return body.add(f"arith.{op} {a}, {b} : f32", "f32",
                    lambda x, y: known.binary(op, "f32", x, y), [a, b])


def _function(body, op, a):
    return body.add(f"math.{op} {a} : f32", "f32", lambda x: known.function(op, "f32", x), [a])


def _advanced(body):
    total, factor, row_sum = (n for n, _ in body.arguments[:3])
    return [_two(body, "addf", (_two(body, "mulf", (total, factor)), row_sum))]


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
