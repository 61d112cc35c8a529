"""The tiles of a fused function: how rows are dealt out, from extents, types and alignment alone.
What this decides is the class of a kernel; the text of a program holds no more of the shapes."""

import functools
from typing import NamedTuple

from . import _build
from ._graph import REDUCTIONS, leading, left_by, lowered, needed, reduces
from ._trace import FLOATS

_LANE = 8  # columns that a lane takes at once
_PIECE = 256  # those of a warp
_SHARED = 208 << 10  # bytes of a CTA for rings
_REGISTERS = 204  # of a thread of a CTA of five warps, for tiles
_SHARED_REGISTERS = 160  # of nine
_AHEAD = 128  # of these, where some are taken for all rows
_BYTES = 4096  # of a row in a piece
_CORES = 132
_MOST_OF_LINE = (1 << 31) - (1 << 20)  # elements
_MANY_ROWS = 1 << 20  # from so many on plans are the same


class Operand(NamedTuple):
    """A tensor of the kernel. `rows`, `columns`: whether it has more than one of them."""

    name: str
    dtype: str
    rows: bool
    columns: bool
    align: int  # bytes that divide its address and the strides of its rows

    @property
    def full(self):
        return self.rows and self.columns


class Plan(NamedTuple):
    parts: int  # warps of a CTA that share a row; 1: each has its own
    held: bool  # whether a row, or its part, is one tile
    rows: int  # of a tile
    columns: int
    exact: bool  # no tile has columns beyond the tensor's
    stages: int  # 0: threads load what a CTA has to registers
    staging: int
    along: bool  # whether a CTA takes rows; else it takes pieces of them
    ahead: bool = False  # what is the same for all rows is loaded once
    share: int = 0  # blocks, side by side, that a CTA takes before it ends; 0: it stays to the last
    per_sm: int = 1  # CTAs that an SM has room for at once
    row: int = 0  # columns of a row whose last parts may be short: part of the text; 0: none are
    line: bool = False  # rows are lines of one line of numbers, of so many columns as a tile

    @property
    def part(self):
        """Columns of a part of such a row."""
        return _part(self.row, self.parts)

    def __str__(self):
        how = ("one line" if self.line else "pieces of rows" if not self.along else
               "one pass" if self.held else "two passes")
        shared = f", {self.parts} warps a row" if self.parts > 1 else ""
        stages = ("loaded by threads" if not self.stages else
                  f"{self.stages} stage" + ("s" if self.stages > 1 else ""))
        taken = f", {self.share} a CTA" if self.share else ""
        taken += f" of {self.per_sm} on an SM" if self.per_sm > 1 else ""
        stored = ", stored by a role" if self.staging else ""
        return f"{how}{shared}: tiles of {self.rows} x {self.columns}, {stages}{taken}{stored}"


def _up(value, to):
    return -(-value // to) * to


def _part(columns, parts):
    """Of a part of a row where the last ones may be short."""
    return _up(-(-columns // parts), _LANE)


@functools.lru_cache(maxsize=None)
def _piece(columns, most):
    """Columns of a piece of a row, as the catalogue's kernels take them."""
    return int(_build.plan("pieces", {"cols": max(columns, 1), "most": most})["columns"])


def _stages(bytes_of_stage):
    """As many slots as shared memory holds, at most 4; 0: not one."""
    return min(4, _SHARED // max(bytes_of_stage, 1))


def _tiles_of(nodes, known):
    """Numbers of those tiles, of what is `known`, that full nodes are computed of."""
    found, seen, todo = set(), set(), list(nodes)
    while todo:
        n = todo.pop()
        if n.number in known:
            found.add(n.number)
        elif n.number not in seen and n.op not in REDUCTIONS:
            seen.add(n.number)
            todo.extend(n.of)
    return found


def _led(results):
    return leading([n for n in needed(results) if n.op in REDUCTIONS])


def _folds(results):
    """Reductions of a row, each by itself. The model takes each for an exchange of the warps that
    share it; without those that are joined into one, CTAs that stay look faster than they are."""
    return len(_led(lowered(results, True, False)))


def _live(results, operands):
    """Bytes of a column that tiles of whole rows take at once, where one reduction comes after the
    other and then the results: of those tiles that somebody still needs."""
    known = {n.number: FLOATS[operands[n.value].dtype] for n in needed(results)
             if n.op == "input" and operands[n.value].full}
    reductions = sorted(_led(results), key=lambda n: n.level)
    sites = [n.of[0] for n in reductions] + results
    most = 0
    for i, site in enumerate(sites):
        most = max(most, sum(known[n] for n in _tiles_of(sites[i:], known)))
        if i < len(reductions):
            for n in left_by(reductions[i], results):
                known.setdefault(n.number, 4)
    return most


def _held_registers(results, operands, columns):
    """Of a thread whose warp holds a row: at most, with a tile of f32 in the making; and those over
    long, with what is the same for all rows."""
    live = _live(results, operands)
    vectors = sum(FLOATS[o.dtype] for o in operands if not o.rows)
    return columns * (live + 4) // 128, columns * (live + vectors) // 128


@functools.lru_cache(maxsize=None)
def _share(asked):
    """Stages, share and CTAs on an SM, as the planner has them for the catalogue's kernels."""
    chosen = _build.plan("share", dict(asked))
    return int(chosen["stages"]), int(chosen["share"]), int(chosen.get("per_sm", 1))


def _held(results, operands, vectors):
    """Bytes of a column that a thread has in registers."""
    return _live(results, operands) + sum(FLOATS[o.dtype] for o in vectors)


def _making(results, parts, exact):
    """The same of what is in the making, unless it takes the place of a tile that stays: a tile of
    f32, or, where warps share a row, a few elements at a time, more where some lie beyond it."""
    led = _led(results)
    if any(left_by(n, results) for n in led):
        return 0
    if parts == 1 or any(n.op == "sumexp" for n in led):
        return 4
    return 0 if exact else 2


def _packed(tensors):
    """The same of pieces of rows, of which a few elements at a time are in the making."""
    return sum(FLOATS[o.dtype] for o in tensors if o.columns)


def _ending(made, results, operands, outputs, rows, columns):
    """The same tiles, a few of which a CTA takes before it ends, where that is faster. Rows count
    by powers of two, so that few numbers of them are different classes."""
    full = [o for o in (*operands, *outputs) if o.full]
    nodes = lowered(results, made.held, made.parts > 1)
    vectors = [o for o in operands if not o.rows and o.columns]
    asked = {"rows": min(1 << max(rows, 1).bit_length() - 1, _MANY_ROWS),
             "cols": made.parts * made.columns if made.along else _up(columns, made.columns),
             "pad": 0 if all(o.align >= 16 for o in full) else 1,
             "bytes": max(FLOATS[o.dtype] for o in full),
             "inputs": sum(o.full for o in operands), "outputs": sum(o.full for o in outputs),
             "vectors": len(vectors), "folds": _folds(results),
             "parts": made.parts, "height": made.rows, "stages": made.stages,
             "held": _held(nodes, operands, vectors) + _making(nodes, made.parts, made.exact)
             if made.along else _packed((*operands, *outputs)),
             "piece": 0 if made.along else made.columns}
    stages, share, per_sm = _share(tuple(asked.items()))
    if not stages and not made.along:
        made = made._replace(rows=8, columns=_PIECE)
    return made._replace(stages=stages, share=share, per_sm=per_sm)


def _size(operands, outputs):
    """Bytes of an element of the widest tensor that has all rows and columns."""
    return max(FLOATS[o.dtype] for o in (*operands, *outputs))


def _better_as_line(made, operands, outputs, rows, columns):
    """Whether rows begin anywhere, or have less than whole pieces; a launch passes one line of so
    many elements."""
    anywhere = any(o.align < 16 for o in (*operands, *outputs))
    return (anywhere or columns % made.columns) and 0 < rows * columns <= _MOST_OF_LINE


def plan(results, operands, outputs, rows, columns, line=False):
    """`operands`, `outputs`: all tensors; the results as they were traced. `line`: whether all lie
    so that their elements may be one line of numbers each."""
    made = _tiles(results, operands, outputs, rows, columns)
    if line and _better_as_line(made, operands, outputs, rows, columns):
        made = _pointwise(operands, _size(operands, outputs), _BYTES)
        made = made._replace(line=True)
        operands, outputs = ([o._replace(align=16) for o in tensors]
                             for tensors in (operands, outputs))
        rows, columns = -(-rows * columns // made.columns), made.columns
    passes = made.along and not made.held
    return made if passes else _ending(made, results, operands, outputs, rows, columns)


def _tiles(graph_results, operands, outputs, rows, columns):
    full = [o for o in operands if o.full]
    size = _size(full, outputs)
    if not reduces(graph_results):
        return _pointwise(full, size, columns)
    alone, together = lowered(graph_results, True, False), lowered(graph_results, True, True)
    width = _up(max(columns, 1), _PIECE)
    loaded = sum(FLOATS[o.dtype] for o in full)
    one_pass = _whole_rows(alone, operands, width, columns, loaded)
    shared = _shared_rows(together, operands, outputs, columns)
    few = one_pass and columns >= 2048 and -(-rows // one_pass.rows) < _CORES
    shifted = columns * size > _BYTES and any(o.align < 16 for o in full)  # by one warp: slowly
    # One CTA of four warps an SM waits for each of its rows in turn.
    alone = (one_pass and one_pass.rows == 4 and columns * size > _BYTES
             and shared and not shared.row)
    better = shared and shared.held and (
        few or shifted or alone or not (one_pass and one_pass.ahead or shared.row))
    if one_pass and not better:
        return one_pass
    if shared:
        return shared
    piece = _piece(columns, _BYTES // size)
    passes = 1 + max(n.level for n in lowered(graph_results, False, False))
    return _pieces(1, 4, piece, columns, loaded * passes)


def _pointwise(full, size, columns):
    loaded = sum(FLOATS[o.dtype] for o in full)
    piece = _piece(columns, max(2048 // size // (1 if len(full) < 3 else 2), _PIECE))
    rows = 8 if _stages(8 * piece * loaded) >= 4 else 4
    stages = _stages(rows * piece * loaded)
    return Plan(1, False, rows, piece, True, stages, 0, False)


def _whole_rows(results, operands, width, columns, loaded):
    """A warp holds a row: eight of rows that start anywhere, which they shift, if they can."""
    most, long = _held_registers(results, operands, width)
    if most > _REGISTERS:
        return None
    aligned = all(o.align >= 16 for o in operands if o.full)
    ahead = [o for o in operands if not o.rows and o.columns and long <= _AHEAD]
    held = width * (_held(results, operands, ahead) + _making(results, 1, True)) // 128
    wide = aligned and (width * loaded > 8192 or most > _REGISTERS // 2 or held > _AHEAD)
    for rows in ((4,) if wide else (8, 4)):
        stages = _stages(rows * width * loaded)
        if stages >= ((4 if aligned else 3) if rows == 8 else 2):
            return Plan(1, True, rows, width, width == columns, stages, 0, True, long <= _AHEAD)
    return None


def _shared_rows(results, operands, outputs, columns):
    """Eight warps hold a row, or pass over it together where its parts begin at 16 bytes; else the
    last ones may be short."""
    parts = 8
    tensors = [o for o in (*operands, *outputs) if o.columns]
    short = columns % parts or any(
        o.align < 16 or columns // parts * FLOATS[o.dtype] % 16 for o in tensors)
    part = _part(columns, parts) if short else columns // parts
    loaded = sum(FLOATS[o.dtype] for o in operands if o.columns)
    width = _up(part, _PIECE)
    most, long = _held_registers(results, operands, width)
    ahead = long <= _AHEAD
    stages = _stages(parts * width * sum(FLOATS[o.dtype] for o in operands
                                         if o.full or o.columns and not ahead))
    if most <= _SHARED_REGISTERS and stages >= 2:
        return Plan(parts, True, parts, width, not short and width == part, stages, 0, True, ahead,
                    row=columns if short else 0)
    if short:
        return None
    size = max(FLOATS[o.dtype] for o in tensors)
    widest, passes = _BYTES // size, 2
    while widest > _PIECE and _stages(parts * widest * loaded * passes) < 4:
        widest //= 2
    return _pieces(parts, parts, _piece(part, widest), part, loaded * passes)


def _pieces(parts, rows, piece, columns, bytes_of_element):
    stages = _stages(rows * piece * bytes_of_element)
    while stages < 2 and piece > _PIECE:
        piece -= _PIECE
        stages = _stages(rows * piece * bytes_of_element)
    return Plan(parts, False, rows, piece, columns % piece == 0, max(stages, 1), 0, True)
