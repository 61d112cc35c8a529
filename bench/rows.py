#!/usr/bin/env python3
"""Times kernels along rows on a GPU beside a copy of the bytes that they move, and PyTorch's own.

    bench/rows.py build-release/bin [--drawn 20 [--seed N]] [--compiled]    one line a shape
    bench/rows.py build-release/bin --only 'softmax rows=4096 cols=16384, add cols=4097 dtype=f32'

Needs PyTorch. Device time of one launch: medians of replays of graphs, tensors as they are after
normal random inputs; the copy is PyTorch's, of as many bytes. Kernels are as the planner has them,
unless their settings say otherwise. --drawn: so many drawn shapes more; --compiled: beside
torch.compile too, tuned (`max-autotune-no-cudagraphs`, `dynamic=False`), whose tuning takes most of
the time; --share 1/2: the first half of the rows. --only takes kernels with settings as --set has
them (rows=16384 cols=4096 dtype=bf16 where it says no other; plan=no: as they are without a plan),
instead of those below.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import torch
from device_time import milliseconds
from row_functions import ARGUMENTS, KERNELS

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
ROUNDING = {"bf16": 2.0**-7, "f16": 2.0**-10, "f32": 1e-5}
HEAD = 128  # elements of a head of rope

POINTWISE = ("add", "bias_gelu", "silu_mul", "add_dropout")
FORWARD = ("rmsnorm", "layernorm", "softmax")
BACKWARD = ("rmsnorm_backward", "layernorm_backward", "softmax_backward", "cross_entropy_backward")
OTHERS = ("rope", "quantise", "transpose", "dropout", "log_softmax")


def rows_of(cols):
    """Of a tensor of 2^27 elements."""
    return (1 << 27) // cols


def table():
    """(kernel, rows, cols, type, settings, least ratio to a copy; 0: PyTorch's speed)."""
    for kernel in ("copy", *POINTWISE):
        for cols, dtype in ((4096, "bf16"), (4096, "f32"), (16384, "bf16"), (4097, "bf16")):
            yield kernel, rows_of(cols) // (2 if dtype == "f32" else 1), cols, dtype, {}, 0.97
    for kernel in FORWARD:
        for cols in (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072):
            yield kernel, rows_of(cols), cols, "bf16", {}, 0.95
        yield kernel, rows_of(262144), 262144, "bf16", {}, 0.93
        for cols in (4097, 100003):
            yield kernel, rows_of(cols), cols, "bf16", {}, 0.92
        yield kernel, rows_of(4097), 4097, "bf16", {"pad": 6}, 0.85
    for cols in (4096, 32768, 131072, 262144):
        yield "cross_entropy", rows_of(cols), cols, "bf16", {}, 0.95
    for kernel in BACKWARD:
        for cols in (1024, 4096, 16384):
            yield kernel, rows_of(cols), cols, "bf16", {}, 0.90
    for kernel in OTHERS:
        for cols in (4096, 8192):
            yield kernel, rows_of(cols), cols, "bf16", {}, 0.90
    for kernel in ("silu_mul", *FORWARD, "cross_entropy", "softmax_backward"):
        for rows, cols in ((8, 32768), (64, 262144), (512, 65536), (4096, 1024), (4096, 8192)):
            yield kernel, rows, cols, "bf16", {}, 0


def drawn(count, seed):
    """Of all kernels and types, a third of the rows starting anywhere."""
    draw = random.Random(seed)
    for _ in range(count):
        kernel = draw.choice(list(KERNELS))
        dtype = draw.choice(["bf16", "bf16", "f16", "f16", "f32"])
        cols = int(2 ** draw.uniform(7, 18))
        if kernel == "rope":
            cols = cols // HEAD * HEAD
        elif draw.random() < 0.7:
            cols = cols // 8 * 8
        if kernel.endswith("norm_backward"):  # longer rows have their weights from a second kernel
            cols = min(cols, 16384)
        rows = int(2 ** draw.uniform(20, 27)) // cols + 1
        yield kernel, rows, cols, dtype, {}, 0


def asked(text):
    """Shapes as --only has them."""
    for part in text.split(","):
        kernel, *words = part.split()
        if kernel not in KERNELS or not all("=" in word for word in words):
            sys.exit(f"--only {part}: one of {', '.join(KERNELS)}, then settings as --set has them")
        given = {word.split("=")[0] for word in words}
        if kernel.endswith("dropout") and given & {"p", "seed", "stream"}:
            sys.exit(f"--only {part}: p, seed and stream are arguments of a launch, ARGUMENTS in "
                     "row_functions.py")
        settings = {"rows": "16384", "cols": "4096", "dtype": "bf16",
                    **dict(word.split("=", 1) for word in words)}
        rows, cols, dtype = (settings.pop(name) for name in ("rows", "cols", "dtype"))
        if not (rows + cols).isdigit() or dtype not in TYPES:
            sys.exit(f"--only {part}: numbers for rows and cols, {', '.join(TYPES)} for dtype")
        yield kernel, int(rows), int(cols), dtype, settings, 0


def build(programs, row):
    """The manifest."""
    kernel, rows, cols, dtype, settings, _ = row
    width = {"heads": cols // HEAD, "d": HEAD} if kernel == "rope" else {"cols": cols}
    given = {"rows": rows, **width, "dtype": dtype, **settings}
    folder = tempfile.mkdtemp()
    machine = ["--arch", "h200"] if "H200" in torch.cuda.get_device_name() else []
    subprocess.run([str(programs / "sluice"), "build", kernel, *machine, "--set",
                    *(f"{name}={value}" for name, value in given.items()), "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / f"{kernel}.json")


def apart(tensor, pad):
    """The same values, the rows `pad` elements apart."""
    if not pad:
        return tensor
    wide = tensor.new_zeros(tensor.shape[0], tensor.shape[1] + pad)
    wide[:, :tensor.shape[1]] = tensor
    return wide[:, :tensor.shape[1]]


def made(kind, rows, cols, dtype, pad):
    """An input."""
    if kind == "l":
        return torch.randint(cols, (rows, 1), device="cuda", dtype=torch.int32)
    if kind == "r":
        return torch.randn(rows, 1, device="cuda", dtype=torch.float32)
    if kind == "h":
        return torch.randn(rows, HEAD // 2, device="cuda", dtype=torch.float32)
    shape = {"v": (1, cols), "o": (rows, cols // HEAD, 2, HEAD // 2)}
    tensor = torch.randn(shape.get(kind, (rows, cols)), device="cuda", dtype=dtype)
    return apart(tensor, pad) if kind == "m" else tensor


def made_for(kind, shape, dtype, pad):
    """An output."""
    if kind == "s":
        return torch.zeros(shape, device="cuda", dtype=torch.float32)
    dtype = {"m": dtype, "o": dtype, "t": dtype, "q": torch.float8_e4m3fn}.get(kind, torch.float32)
    tensor = torch.full(shape, float("nan"), device="cuda").to(dtype)
    return apart(tensor, pad) if kind == "m" else tensor


def error_of(outputs, wanted):
    """The largest, of the largest value; of NaN it is infinite."""
    errors = [((y.double() - w).abs().max() / w.abs().max()).item()
              for y, w in zip(outputs, wanted)]
    return max(float("inf") if e != e else e for e in errors)


def is_right(row, inputs, outputs):
    """The error against float64 of the first rows, and whether it is small enough."""
    kernel, rows, cols, dtype, _, _ = row
    theirs, kinds, results = KERNELS[kernel]
    # float64 of more would not fit; sums need all
    few = slice(0, rows if "s" in results or "t" in results else max(1, (1 << 24) // cols))
    tops = [t if kind == "v" else t[few] for t, kind in zip(inputs, kinds)]
    wanted = theirs(*(t if kind == "l" else t.double() for t, kind in zip(tops, kinds)))
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    whole = {"s": lambda y: y.sum(0), "t": lambda y: y}
    error = error_of([whole.get(kind, lambda y: y[few])(y) for y, kind in zip(outputs, results)],
                     wanted)
    rounding = 2.0**-4 if "q" in results else ROUNDING[dtype] if set(results) & set("mto") else 1e-5
    return error, error < rounding and not any(y.float().isnan().any().item() for y in outputs)


def launched(function, kernel, inputs, outputs):
    given = ARGUMENTS if kernel.endswith("dropout") else ()
    out = tuple(outputs) if len(outputs) > 1 else outputs[0]
    return lambda: function(*inputs, out=out, arguments=given)


def copied(row, inputs, outputs):
    """PyTorch's copy of as many bytes as the kernel has to move."""
    kinds = "".join(KERNELS[row[0]][1:])
    moved = sum(t.nbytes for t, kind in zip([*inputs, *outputs], kinds) if kind in "mqto")
    source = torch.randn(moved // 4, device="cuda").view(torch.uint8)[:moved // 2]
    target = torch.empty_like(source)
    return lambda: target.copy_(source)


def compiled(theirs, inputs):
    torch._dynamo.reset()
    tuned = torch.compile(theirs, mode="max-autotune-no-cudagraphs", dynamic=False)
    tuned(*inputs)
    return lambda: tuned(*inputs)


def measure(sluice, row, manifest, compiles):
    """Prints a line; whether it is right, its ratios to a copy and to the better of PyTorch's."""
    kernel, rows, cols, dtype, settings, bar = row
    function = sluice.load(manifest)
    theirs, kinds, results = KERNELS[kernel]
    pad = int(settings.get("pad", 0))
    inputs = [made(kind, rows, cols, TYPES[dtype], pad) for kind in kinds]
    outputs = [made_for(kind, shape, TYPES[dtype], pad)
               for kind, shape in zip(results, function.output_shapes(*inputs))]
    launch = launched(function, kernel, inputs, outputs)
    torch.cuda.synchronize()
    launch()
    error, good = is_right(row, inputs, outputs)
    launches = [launch, copied(row, inputs, outputs), lambda: theirs(*inputs)]
    ours, copy, *others = milliseconds(
        launches + ([compiled(theirs, inputs)] if compiles else []), count=10)
    missed = copy / ours < bar if bar else min(others) < ours
    given = " ".join(f"{name}={value}" for name, value in settings.items())
    beside = f", {others[1] / ours:.2f} times it compiled" if compiles else ""
    print(f"{kernel:22} {rows:7} x {cols:6} {dtype:4} {given:18} {1000 * ours:8.1f} us  "
          f"{copy / ours:.3f} of a copy{f' (bar {bar})' if bar else ''}  "
          f"{others[0] / ours:.2f} times PyTorch{beside}  error {error:.1e}"
          f"{'' if good else '  FAILED'}"
          f"{'  below' if missed else ''}", flush=True)
    return good, copy / ours, min(others) / ours, missed


def report(results):
    """The last line; the exit status."""
    failed = sum(not good for good, *_ in results)
    beside = [other for good, _, other, _ in results if good]
    print(f"{len(results)} rows, {failed} failed, {sum(r[3] for r in results)} below the bar or "
          f"PyTorch; least {min(r[1] for r in results if r[0]):.3f} of a copy; "
          f"{math.exp(sum(map(math.log, beside)) / len(beside)):.2f} times the better of PyTorch's "
          f"on average, least {min(beside):.2f}")
    return 1 if failed else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--share", default="1/1", help="part/parts of the rows")
    parser.add_argument("--seconds", type=float, default=460, help="no row begins after them")
    parser.add_argument("--only", type=lambda text: list(asked(text)))
    return parser.parse_args()


def main():
    given = arguments()
    begin = time.monotonic()
    os.environ["SLUICE_BIN"] = str(given.programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    part, parts = map(int, given.share.split("/"))
    shapes = (given.only or list(table()))[part - 1::parts]
    if given.drawn:
        print(f"drawn, seed {given.seed}: the last {given.drawn}")
        shapes += list(drawn(given.drawn, given.seed))
    results = []
    with concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() - 4)) as pool:
        manifests = [pool.submit(build, given.programs, row) for row in shapes]
        for row, manifest in zip(shapes, manifests):
            if time.monotonic() - begin > given.seconds:
                print(f"no time for the last {len(shapes) - len(results)} of {len(shapes)} rows")
                pool.shutdown(cancel_futures=True)
                break
            try:
                results.append(measure(sluice, row, manifest.result(), given.compiled))
            except (sluice.SluiceError, subprocess.CalledProcessError) as error:
                print(f"{row}: {error}  FAILED", flush=True)
                results.append((False, math.nan, math.nan, True))
    return report(results)


if __name__ == "__main__":
    sys.exit(main())
