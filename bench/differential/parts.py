"""What kernels of several families are made of: coordinates, maps, folds, stores."""

from . import known

COMPUTED = ["f32", "f32", "f16", "bf16", "i32"]
COMBINES = [("addf", "0.0"), ("maximumf", "-inf"), ("minimumf", "inf"), ("maxnumf", "-inf"),
            ("minnumf", "inf"), ("mulf", "1.0"), ("maxnumf", "0.5")]


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
    if kernel.rng.random() < 0.3:
        for half in ("seed0", "seed1"):
            kernel.argument(half, "index", kernel.rng.randint(-2**31, 2**31 - 1))


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


def of_batches(kernel, options):
    """A cluster has an extent for each of the grid."""
    more = ", 1>" if kernel.batches else ">"
    return [o.replace(">", more) if "cluster" in o else o for o in options]


def loop_options(rng):
    stages = rng.randint(1, 4)
    return stages, f' {{sluice.stages = {stages}, sluice.name = "k"}}'


def store_options(rng):
    return rng.choice(["", "", " {sluice.staging = 0}", " {sluice.staging = 1}",
                       " {sluice.staging = 2}"])
