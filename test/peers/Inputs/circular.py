"""Prints the scenarios of nvFuser's circular-buffering tests
(tests/cpp/test_circular_buffering.cpp) as kernels at the tile level: what is loaded, computed and
stored, and how far ahead.

    circular.py SCENARIO --stages 4 --prefetch 3 --mode pipelined --load bulk [--columns 2048]

Pieces are 4 x 256 where nvFuser's are 256: four warps compute, each on a row of its own.
"""
import argparse
from dataclasses import dataclass

MODES = ("pipelined", "specialised")  # who computes loads ahead; a role of its own loads
LOADS = ("tensor", "bulk", "threads")
WIDTH = 256


@dataclass
class Point:
    stages: int
    prefetch: int  # negative: so many fewer than the stages, as nvFuser has it
    mode: str
    load: str
    columns: int = 1024  # of the scenarios that hold whole rows

    @property
    def ahead(self):
        return self.prefetch + (self.stages if self.prefetch < 0 else 0)

    @property
    def grid(self):
        return " {sluice.load_ahead}" if self.mode == "pipelined" else ""


def tensor(columns="?", rows="?"):
    return f"!sluice.tensor<{rows}x{columns}xf32, align 16>"


def header(name, inputs, output, type_=None, out_type=None):
    type_, out_type = type_ or tensor(), out_type or type_ or tensor()
    arguments = [f'%{t}: {type_} {{sluice.name = "{t}"}}' for t in inputs]
    arguments.append(f'%{output}: {out_type} {{sluice.name = "{output}", sluice.out}}')
    numbers = "\n".join(f"  %c{n} = arith.constant {n} : index"
                        for n in (0, 1, 4, 132, WIDTH, 2 * WIDTH, 3 * WIDTH, 4 * WIDTH))
    return (f"sluice.kernel @{name}(" + ",\n    ".join(arguments) + ") {\n" + numbers +
            f"\n  %M = sluice.dim %X, 0 : {short(type_)}"
            f"\n  %N = sluice.dim %X, 1 : {short(type_)}\n")


def short(type_):
    return type_[len("!sluice.tensor"):]


def load(point, name, source, row, column, columns=WIDTH, by=None, type_=None):
    tile = f"4x{columns}xf32"
    return f"""    %{name} = sluice.alloc "{name}" : !sluice.buffer<{tile}>
    sluice.load %{source}[{row}, {column}] to %{name} {{sluice.loaded_by = "{by or point.load}"}} :
        {short(type_ or tensor())}, <{tile}>
"""


def mapped(name, inputs, body, columns=WIDTH, new=True):
    """inputs: tiles and their columns; body: lines that end with the value %r."""
    tiles = ", ".join(f"%{t}" for t, _ in inputs)
    types = ", ".join(f"!sluice.buffer<4x{width}xf32>" for _, width in inputs)
    arguments = ", ".join(f"%{chr(97 + i)}: f32" for i in range(len(inputs)))
    lines = "\n".join(f"      {line}" for line in body)
    made = f'    %{name} = sluice.alloc "{name}" : !sluice.buffer<4x{columns}xf32>\n' if new else ""
    result = f"%{name} : !sluice.buffer<4x{columns}xf32>"
    return f"""{made}    sluice.map ins({tiles} : {types}) outs({result}) {{
    ^bb0({arguments}):
{lines}
      sluice.yield %r : f32
    }}
"""


def folded(name, tile, columns, body):
    lines = "\n".join(f"      {line}" for line in body)
    return f"""    %{name} = sluice.alloc "{name}" : !sluice.buffer<4x1xf32>
    sluice.reduce ins(%{tile} : !sluice.buffer<4x{columns}xf32>)
        outs(%{name} : !sluice.buffer<4x1xf32>) axis 1 from [0.0] {{
    ^bb0(%s: f32, %v: f32):
{lines}
      sluice.yield %r : f32
    }}
"""


def store(tile, output, row, column, columns=WIDTH, type_=None, staging=None):
    mark = f" {{sluice.staging = {staging}}}" if staging is not None else ""
    return (f"    sluice.store %{tile} to %{output}[{row}, {column}]{mark} : "
            f"<4x{columns}xf32>, {short(type_ or tensor())}\n")


def loop(point, variable, to, step, body, start="%c0"):
    return (f"  scf.for %{variable} = {start} to {to} step {step} {{\n{body}"
            f"  }} {{sluice.name = \"{variable}\", sluice.stages = {point.stages}, "
            f"sluice.prefetch = {point.ahead}}}\n")


def rows_of_grid(point):
    return f"""  %blocks = arith.ceildivsi %M, %c4 : index
  %block = sluice.grid %blocks{point.grid} : index
  %row = arith.muli %block, %c4 : index
"""


EXP = ["%r = math.exp %a : f32"]
ADD = ["%r = arith.addf %a, %b : f32"]
EXP_OF_SUM = ["%sum = arith.addf %a, %b : f32", "%r = math.exp %sum : f32"]
TOTAL = ["%r = arith.addf %s, %v : f32"]


def single_dim(point):
    """SingleDim: exp, one CTA over the pieces."""
    type_ = tensor(rows=4)
    return (header("single_dim", ["X"], "Y", type_) +
            f"  %at = sluice.grid %c1{point.grid} : index\n" +
            loop(point, "col", "%N", "%c256",
                 load(point, "x", "X", "%c0", "%col", type_=type_) +
                 mapped("y", [("x", WIDTH)], EXP) +
                 store("y", "Y", "%c0", "%col", type_=type_)) + "}\n")


def single_dim_unroll(point):
    """SingleDimUnroll, SingleDimUnswitch: four pieces in a stage; loads and stores know bounds."""
    type_ = tensor(rows=4)
    body = ""
    for i in range(4):
        body += f"    %at{i} = arith.addi %col, %c{i * WIDTH} : index\n"
        body += load(point, f"x{i}", "X", "%c0", f"%at{i}", type_=type_)
    for i in range(4):
        body += mapped(f"y{i}", [(f"x{i}", WIDTH)], EXP)
        body += store(f"y{i}", "Y", "%c0", f"%at{i}", type_=type_)
    return (header("single_dim_unroll", ["X"], "Y", type_) +
            f"  %at = sluice.grid %c1{point.grid} : index\n" +
            loop(point, "col", "%N", "%c1024", body) + "}\n")


def multi_dim(point):
    """MultiDim: exp, a CTA for four rows."""
    return (header("multi_dim", ["X"], "Y") + rows_of_grid(point) +
            loop(point, "col", "%N", "%c256",
                 load(point, "x", "X", "%row", "%col") + mapped("y", [("x", WIDTH)], EXP) +
                 store("y", "Y", "%row", "%col")) + "}\n")


def pair(point, name, body, by=None, staging=None):
    return (header(name, ["X", "Z"], "Y") + rows_of_grid(point) +
            loop(point, "col", "%N", "%c256",
                 load(point, "x", "X", "%row", "%col") +
                 load(point, "z", "Z", "%row", "%col", by=by) +
                 mapped("y", [("x", WIDTH), ("z", WIDTH)], body) +
                 store("y", "Y", "%row", "%col", staging=staging)) + "}\n")


def pointwise(point):
    """Pointwise: a + b, both through the ring."""
    return pair(point, "pointwise", ADD)


def pointwise_cp_async(point):
    """PointwiseCpAsync, which nvFuser skips: one by TMA, the other by threads."""
    return pair(point, "pointwise_cp_async", ADD, by="threads")


def bar_sync(point):
    """BarSyncWarpSpecializedPointwise: exp(a + b), the result by way of shared memory."""
    return pair(point, "bar_sync", EXP_OF_SUM, staging=1)


def inner_reduction(point):
    """InnerReduction: sums of rows."""
    sums = tensor(columns=1).replace(", align 16", "")
    return (header("inner_reduction", ["X"], "Y", out_type=sums) + rows_of_grid(point) +
            '  %all = sluice.alloc "all" : !sluice.buffer<4x1xf32>\n'
            "  sluice.fill %all with 0.0 : <4x1xf32>\n" +
            loop(point, "col", "%N", "%c256",
                 load(point, "x", "X", "%row", "%col") + folded("part", "x", WIDTH, TOTAL) +
                 mapped("all", [("all", 1), ("part", 1)], ADD, 1, new=False)) +
            store("all", "Y", "%row", "%c0", 1, sums) + "}\n")


def outer_reduction(point):
    """OuterReduction: sums of columns, 256 a CTA. A line for each warp, which `sum_rows` adds."""
    lines = tensor(rows=4)
    return (header("outer_reduction", ["X"], "Y", out_type=lines) +
            "  %pieces = arith.ceildivsi %N, %c256 : index\n"
            f"  %piece = sluice.grid %pieces{point.grid} : index\n"
            "  %col = arith.muli %piece, %c256 : index\n"
            '  %all = sluice.alloc "all" : !sluice.buffer<4x256xf32>\n'
            "  sluice.fill %all with 0.0 : <4x256xf32>\n" +
            loop(point, "row", "%M", "%c4",
                 load(point, "x", "X", "%row", "%col") +
                 mapped("all", [("all", WIDTH), ("x", WIDTH)], ADD, new=False)) +
            store("all", "Y", "%c0", "%col", type_=lines) + "}\n")


def persistent(point):
    """Persistent: (x - mean) / sqrt(variance), four rows held, a CTA's blocks one after another."""
    n, type_ = point.columns, tensor(columns=point.columns)
    scale = [f"%n = arith.constant {n}.0 : f32", "%r = arith.divf %a, %n : f32"]
    body = (
        "    %row = arith.muli %block, %c4 : index\n" +
        load(point, "x", "X", "%row", "%c0", n, type_=type_) +
        folded("sum", "x", n, TOTAL) + mapped("mean", [("sum", 1)], scale, 1) +
        mapped("d", [("x", n), ("mean", 1)], ["%r = arith.subf %a, %b : f32"], n) +
        folded("squares", "d", n,
               ["%q = arith.mulf %v, %v : f32", "%r = arith.addf %s, %q : f32"]) +
        mapped("y", [("d", n), ("squares", 1)],
               [f"%n = arith.constant {n}.0 : f32", "%variance = arith.divf %b, %n : f32",
                "%root = math.rsqrt %variance : f32", "%r = arith.mulf %a, %root : f32"], n) +
        store("y", "Y", "%row", "%c0", n, type_))
    return (header("persistent", ["X"], "Y", type_) +
            "  %blocks = arith.ceildivsi %M, %c4 : index\n"
            f"  %cta = sluice.grid %c132{point.grid} : index\n" +
            loop(point, "block", "%blocks", "%c132", body, start="%cta") + "}\n")


def nested(point):
    """NestedTensors: a ring over blocks of rows, and one over the pieces of each."""
    inner = loop(point, "col", "%N", "%c256",
                 load(point, "x", "X", "%row", "%col") +
                 mapped("y", [("x", WIDTH), ("first", WIDTH)], ADD) +
                 store("y", "Y", "%row", "%col"))
    return (header("nested", ["X", "Z"], "Y") + f"  %at = sluice.grid %c1{point.grid} : index\n" +
            loop(point, "row", "%M", "%c4",
                 load(point, "first", "Z", "%row", "%c0") + inner) + "}\n")


def matmul(point):
    """Matmul: M x 1024 x N, on the tensor cores."""
    f16 = "!sluice.tensor<?x?xf16, align 16>"
    s = short(f16)
    body = f"""    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %X[%row, %k] to %a {{sluice.loaded_by = "{point.load}"}} : {s}, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %Z[%k, %col] to %b {{sluice.loaded_by = "{point.load}"}} : {s}, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
"""
    start = header("matmul", ["X", "Z"], "Y", f16, tensor())
    return (start + f"""  %c64 = arith.constant 64 : index
  %across = sluice.dim %Z, 1 : {s}
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %across, %c64 : index
  %i, %j = sluice.grid %gm, %gn{point.grid} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
""" + loop(point, "k", "%N", "%c64", body) +
            "  sluice.store %acc to %Y[%row, %col] : <64x64xf32>, " + short(tensor()) + "\n}\n")


SCENARIOS = {f.__name__: f for f in (
    single_dim, single_dim_unroll, multi_dim, pointwise, pointwise_cp_async, bar_sync,
    inner_reduction, outer_reduction, persistent, nested, matmul)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--stages", type=int, default=4)
    parser.add_argument("--prefetch", type=int, default=-1)
    parser.add_argument("--mode", choices=MODES, default="specialised")
    parser.add_argument("--load", choices=LOADS, default="tensor")
    parser.add_argument("--columns", type=int, default=1024)
    given = vars(parser.parse_args())
    print(SCENARIOS[given.pop("scenario")](Point(**given)), end="")


if __name__ == "__main__":
    main()
