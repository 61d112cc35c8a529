#!/usr/bin/env python3
"""Random tile-level kernels: what a GPU computes against the virtual machine.

differential.py prepare FOLDER PROGRAMS [COUNT [SEED]]   draws, proves, runs and builds them here
differential.py compare FOLDER PROGRAMS                  runs the cubins on a GPU (needs PyTorch)

A kernel that is not proven is left out and counted. PROGRAMS is the folder of sluice and
libsluice_rt.so.
"""

import json
import math
import multiprocessing
import os
import pathlib
import random
import struct
import subprocess
import sys

# Of the largest number of an output: sums of products in another order, and the rounding of its
# type. What is not finite must be the same.
TOLERANCE = {"f32": 2.0**-17, "f16": 2.0**-10, "bf16": 2.0**-7}
SIZE = {"f32": 4, "f16": 2, "bf16": 2}
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, -3e-42, 6e-8, 65504.0, -65504.0, 3e38]


class Kernel:
    """Text of a kernel with the extents and inputs of one launch."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.tensors, self.body, self.constants, self.count = {}, [], set(), 0
        self.arguments = {}

    def fresh(self, stem="v"):
        self.count += 1
        return f"%{stem}{self.count}"

    def constant(self, n):
        self.constants.add(n)
        return f"%c{n}" if n >= 0 else f"%cm{-n}"

    def line(self, text):
        self.body.append(text)

    def scalar(self, op, *operands):
        v = self.fresh("s")
        self.line(f"{v} = arith.{op} {', '.join(operands)} : index")
        return v

    def tensor(self, name, rows, cols, dtype, out=False, align=True):
        """`align`: rows are multiples of 16 bytes."""
        unit = 16 // SIZE[dtype]
        cols = (cols + unit - 1) // unit * unit if align else cols
        self.tensors[name] = dict(shape=[rows, cols], dtype=dtype, out=out, align=align)

    def kind(self, name):
        t = self.tensors[name]
        return f"?x?x{t['dtype']}{', align 16' if t['align'] else ''}"

    def dim(self, name, d):
        v = self.fresh("d")
        self.line(f"{v} = sluice.dim %{name}, {d} : <{self.kind(name)}>")
        return v

    def load(self, name, row, col, rows, cols):
        v, dtype = self.fresh("t"), self.tensors[name]["dtype"]
        self.line(f'{v} = sluice.alloc "{v[1:]}" : !sluice.buffer<{rows}x{cols}x{dtype}>')
        self.line(f"sluice.load %{name}[{row}, {col}] to {v} : <{self.kind(name)}>, "
                  f"<{rows}x{cols}x{dtype}>")
        return v, f"{rows}x{cols}x{dtype}"

    def text(self):
        arguments = [f'%{n}: !sluice.tensor<{self.kind(n)}> {{sluice.name = "{n}"'
                     f'{", sluice.out" if t["out"] else ""}}}' for n, t in self.tensors.items()]
        arguments += [f'%{n}: index {{sluice.name = "{n}"}}' for n in self.arguments]
        lines = [f"sluice.kernel @{self.name}({', '.join(arguments)})",
                 '    attributes {target = "sm_90a"} {']
        lines += [f"  {self.constant(n)} = arith.constant {n} : index"
                  for n in sorted(self.constants)]
        return "\n".join(lines + ["  " + line for line in self.body] + ["}", ""])


def expression(kernel, values, depth):
    """Lines and the result of an expression of f32 values."""
    rng = kernel.rng
    if depth == 0 or rng.random() < 0.15:
        return [], rng.choice(values)
    v = kernel.fresh("e")
    lines, a = expression(kernel, values, depth - 1)
    more, b = expression(kernel, values, depth - 1)
    op = rng.choice(["addf", "subf", "mulf", "maximumf", "minimumf", "negf", "absf", "select",
                     "constant"])
    if op == "constant":
        c = kernel.fresh("e")
        return lines + [f"{c} = arith.constant {rng.uniform(-4, 4):.9e} : f32",
                        f"{v} = arith.mulf {a}, {c} : f32"], v
    if op == "negf":
        return lines + [f"{v} = arith.negf {a} : f32"], v
    if op == "absf":
        return lines + [f"{v} = math.absf {a} : f32"], v
    if op == "select":
        p, relation = kernel.fresh("p"), rng.choice(["ogt", "olt", "oge", "ole", "oeq"])
        return lines + more + [f"{p} = arith.cmpf {relation}, {a}, {b} : f32",
                               f"{v} = arith.select {p}, {a}, {b} : f32"], v
    return lines + more + [f"{v} = arith.{op} {a}, {b} : f32"], v


def mapped(kernel, inputs, out_dtype, shape, depth):
    """A map of tiles to one of `shape`."""
    out = kernel.fresh("m")
    kernel.line(f'{out} = sluice.alloc "{out[1:]}" : !sluice.buffer<{shape}x{out_dtype}>')
    types = ", ".join(f"!sluice.buffer<{kind}>" for _, kind in inputs)
    names = ", ".join(v for v, _ in inputs)
    kernel.line(f"sluice.map ins({names} : {types}) outs({out} : !sluice.buffer<{shape}x"
                f"{out_dtype}>) {{")
    arguments, values, lines = [], [], []
    for _, kind in inputs:
        dtype, a = kind.rsplit("x", 1)[1], kernel.fresh("a")
        arguments.append(f"{a}: {dtype}")
        if dtype != "f32":
            wide = kernel.fresh("e")
            lines.append(f"{wide} = arith.extf {a} : {dtype} to f32")
            a = wide
        values.append(a)
    more, result = expression(kernel, values, depth)
    lines += more
    if out_dtype != "f32":
        lines.append(f"%narrow{kernel.count} = arith.truncf {result} : f32 to {out_dtype}")
        result = f"%narrow{kernel.count}"
    kernel.line(f"^bb0({', '.join(arguments)}):")
    for line in lines + [f"sluice.yield {result} : {out_dtype}"]:
        kernel.line("  " + line)
    kernel.line("}")
    return out, f"{shape}x{out_dtype}"


def reduced(kernel, tile, kind):
    """Each row of an f32 tile folded to one value."""
    rows = kind.split("x")[0]
    q, (op, start) = kernel.fresh("q"), kernel.rng.choice([("addf", "0.0"), ("maximumf", "-inf")])
    kernel.line(f'{q} = sluice.alloc "{q[1:]}" : !sluice.buffer<{rows}x1xf32>')
    kernel.line(f"sluice.reduce ins({tile} : !sluice.buffer<{kind}>) outs({q} : "
                f"!sluice.buffer<{rows}x1xf32>) axis 1 from [{start}] {{")
    a, b, s = kernel.fresh("a"), kernel.fresh("a"), kernel.fresh("e")
    kernel.line(f"^bb0({a}: f32, {b}: f32):")
    kernel.line(f"  {s} = arith.{op} {a}, {b} : f32")
    kernel.line(f"  sluice.yield {s} : f32")
    kernel.line("}")
    return q, f"{rows}x1xf32"


def offset(kernel, at):
    """A coordinate, now and then shifted: by a constant, or by what takes more than 32 bits."""
    rng, kind = kernel.rng, kernel.rng.random()
    if kind < 0.55:
        return at
    if kind < 0.8:
        by = rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 33, 64, -1, -2, -3, -4, -8, -17, -64])
        return kernel.scalar("addi", at, kernel.constant(by))
    wide = kernel.scalar("muli", kernel.scalar("addi", at, kernel.constant(1000003)),
                         kernel.constant(rng.choice([4099, 65537, -77777])))
    return kernel.scalar("addi", at, kernel.scalar("remsi", wide, kernel.constant(7)))


def grid(kernel, tile_rows, tile_cols):
    down = kernel.scalar("ceildivsi", kernel.dim("Y", 0), kernel.constant(tile_rows))
    across = kernel.scalar("ceildivsi", kernel.dim("Y", 1), kernel.constant(tile_cols))
    persistent = " {persistent}" if kernel.rng.random() < 0.3 else ""
    kernel.line(f"%i, %j = sluice.grid {down}, {across}{persistent} : index, index")
    return (kernel.scalar("muli", "%i", kernel.constant(tile_rows)),
            kernel.scalar("muli", "%j", kernel.constant(tile_cols)))


def product(kernel, row, col, tile_rows, tile_cols, dtype):
    """A loop of products; yields the sums."""
    rng, acc = kernel.rng, kernel.fresh("acc")
    shape = f"{tile_rows}x{tile_cols}xf32"
    kernel.line(f'{acc} = sluice.alloc "{acc[1:]}" : !sluice.buffer<{shape}>')
    kernel.line(f"sluice.fill {acc} with 0.0 : <{shape}>")
    steps = kernel.scalar("ceildivsi", kernel.dim("A", 1), kernel.constant(64))
    row = offset(kernel, row)
    kernel.line(f"scf.for %t = {kernel.constant(0)} to {steps} step {kernel.constant(1)} {{")
    k = kernel.scalar("muli", "%t", kernel.constant(64))
    a, a_kind = kernel.load("A", row, k, tile_rows, 64)
    b, b_kind = kernel.load("B", k, col, 64, tile_cols)
    kernel.line(f"sluice.mma {acc}, {a}, {b} : <{shape}>, <{a_kind}>, <{b_kind}>")
    kernel.line(f"}} {{sluice.stages = {rng.randint(1, 4)}, sluice.name = \"k\"}}")
    return acc, shape


def draw(name, seed):
    rng = random.Random(seed)
    kernel = Kernel(name, rng)
    tile_rows = rng.choice([64, 64, 128, 256])
    tile_cols = rng.choice([8, 16, 24, 32, 40, 64, 72, 128])
    rows, cols = rng.choice([0, 1, 5, 64, 77, 128, 153, 200]), rng.choice([1, 8, 60, 64, 100, 152])
    out, align = rng.choice(list(SIZE)), rng.random() < 0.8
    if rng.random() < 0.4:
        dtype, depth = rng.choice(["f16", "bf16"]), rng.choice([1, 64, 100, 200])
        kernel.tensor("A", rows, depth, dtype, align=align)
        kernel.tensor("B", kernel.tensors["A"]["shape"][1], cols, dtype, align=align)
        kernel.tensor("Y", rows, kernel.tensors["B"]["shape"][1], out, out=True, align=align)
        row, col = grid(kernel, tile_rows, tile_cols)
        inputs = [product(kernel, row, col, tile_rows, tile_cols, dtype)]
    else:
        names = ["X", "Z", "W"][:rng.randint(1, 3)]
        for n in names:
            kernel.tensor(n, rows, cols, rng.choice(list(SIZE)), align=rng.random() < 0.8)
        kernel.tensor("Y", rows, cols, out, out=True, align=align)
        row, col = grid(kernel, tile_rows, tile_cols)
        inputs = [kernel.load(n, offset(kernel, row), offset(kernel, col), tile_rows, tile_cols)
                  for n in names]
    shape = f"{tile_rows}x{tile_cols}"
    if rng.random() < 0.4:
        inner = mapped(kernel, inputs, "f32", shape, 2)
        inputs = [inner, reduced(kernel, *inner)]
    result, kind = mapped(kernel, inputs, out, shape, rng.randint(1, 3))
    kernel.line(f"sluice.store {result} to %Y[{row}, {col}] : <{kind}>, <{kernel.kind('Y')}>")
    return kernel


def write_npy(path, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}f", *values))


def prepare_one(job):
    folder, programs, name, seed = job
    kernel, place = draw(name, seed), folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "kernel.mlir").write_text(kernel.text())
    rng, special = random.Random(seed + 1), random.Random(seed).random() < 0.25
    sizes, files = [], []
    for n, t in kernel.tensors.items():
        rows, cols = t["shape"]
        sizes.append(f"{n}={rows}x{cols}")
        if not t["out"]:
            # In which partial sums leave f32's range, tensor cores and the machine may disagree.
            few = [x for x in SPECIAL if n not in "AB" or x != 3e38]
            values = [rng.choice(few) if special and rng.random() < 0.05 else rng.gauss(0, 1)
                      for _ in range(rows * cols)]
            write_npy(place / f"{n}.npy", t["shape"], values)
            files.append(f"{n}={place / n}.npy")
    base = [str(programs / "sluice")]
    steps = [["check", str(place / "kernel.mlir"), "--set", *sizes],
             ["run", str(place / "kernel.mlir"), "--device", "sim", "--set", *sizes, "--in",
              *files, "--out", f"Y={place}/Y.npy"],
             ["build", str(place / "kernel.mlir"), "--set", *sizes, "-o", str(place)]]
    for step in steps:
        done = subprocess.run(base + step, capture_output=True, text=True)
        wrote = done.returncode == 1 and step[0] == "run" and (place / "Y.npy").exists()
        if done.returncode and not wrote:
            lines = (done.stdout + done.stderr).strip().splitlines()
            why = next((x for x in lines if "error" in x or x.startswith("R")), lines[-1:] or [""])
            return name, f"{step[0]}: {why}"
    description = dict(tensors=kernel.tensors, seed=seed, special=special)
    (place / "case.json").write_text(json.dumps(description))
    return name, ""


def prepare(folder, programs, count, seed):
    print(f"seed {seed}")
    jobs = [(folder, programs, f"k{n}", seed * 100003 + n) for n in range(count)]
    with multiprocessing.Pool() as pool:
        refused = [(n, why) for n, why in pool.imap_unordered(prepare_one, jobs) if why]
    for name, why in sorted(refused):
        print(f"{name} is left out: {why}")
    print(f"{count - len(refused)} of {count} kernels are proven, run and built")
    return 0


def compare_one(place, sluice, torch, numpy):
    """Empty, or what differs."""
    case = json.loads((place / "case.json").read_text())
    types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
    tensors = {}
    for n, t in case["tensors"].items():
        data = (numpy.full(t["shape"], numpy.nan, "float32") if t["out"] else
                numpy.load(place / f"{n}.npy"))
        tensors[n] = torch.from_numpy(data).to(types[t["dtype"]]).cuda()
    names = [n for n in tensors if n != "Y"]
    kernel = sluice.load(str(place / f"{place.name}.json"))
    kernel(*(tensors[n] for n in names), out=tensors["Y"])
    torch.cuda.synchronize()
    have = tensors["Y"].float().cpu().numpy()
    want = numpy.load(place / "Y.npy").reshape(have.shape)
    if case["tensors"]["Y"]["dtype"] == "bf16":  # kept as its bits
        want = (want.view("uint16").astype("uint32") << 16).view("float32")
    want = want.astype("float32")
    finite = numpy.isfinite(want)
    if not (numpy.isnan(want) == numpy.isnan(have)).all():
        return f"{int((numpy.isnan(want) != numpy.isnan(have)).sum())} NaN differ"
    if not (want[~finite & ~numpy.isnan(want)] == have[~finite & ~numpy.isnan(want)]).all():
        return "infinities differ"
    largest = float(numpy.abs(want[finite]).max(initial=0))
    with numpy.errstate(invalid="ignore"):
        error = float(numpy.abs(want[finite] - have[finite]).max(initial=0))
    limit = TOLERANCE[case["tensors"]["Y"]["dtype"]] * max(largest, 1.0)
    return "" if error <= limit else f"error {error:.3g} of {largest:.3g}"


def work(folder, programs, names):
    """One process: prints a line for each kernel, before and after it."""
    os.environ["SLUICE_BIN"] = str(programs.resolve())
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
    import numpy
    import torch

    import sluice
    for name in names:
        print(f"begin {name}", flush=True)
        print(f"end {name} {compare_one(folder / name, sluice, torch, numpy)}", flush=True)
    return 0


def share(job):
    """Kernels one after the other; where one ends its process, the next process goes on."""
    folder, programs, names = job
    found = {}
    while names:
        done = subprocess.run([sys.executable, __file__, "work", str(folder), str(programs),
                               *names], capture_output=True, text=True)
        begun = None
        for line in done.stdout.splitlines():
            word, name, *rest = line.split(" ", 2)
            begun = name if word == "begin" else None
            if word == "end":
                found[name] = rest[0] if rest else ""
        if begun:
            errors = [x for x in done.stderr.splitlines() if "rror" in x]
            found[begun] = "died: " + (errors[-1] if errors else f"status {done.returncode}")
        elif len(found) == 0:
            return {names[0]: "no process ran: " + done.stderr.strip()[-300:]}
        names = [n for n in names if n not in found]
    return found


def compare(folder, programs):
    names = sorted(p.parent.name for p in folder.glob("*/case.json"))
    parts = [(folder, programs, names[i::8]) for i in range(8)]
    found = {}
    with multiprocessing.Pool(8) as pool:
        for part in pool.imap_unordered(share, [p for p in parts if p[2]]):
            found.update(part)
    different = {n: why for n, why in found.items() if why}
    for name, why in sorted(different.items()):
        seed = json.loads((folder / name / "case.json").read_text())["seed"]
        print(f"{name} (seed {seed}): {why}")
    print(f"{len(found)} kernels, {len(different)} differ")
    return 1 if different or not found else 0


def main():
    verb, folder, programs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if verb == "prepare":
        count = int(sys.argv[4]) if len(sys.argv) > 4 else 300
        seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(2**31)
        return prepare(folder, programs, count, seed)
    return compare(folder, programs) if verb == "compare" else work(folder, programs, sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
