#!/usr/bin/env python3
"""Fused functions against PyTorch's own and torch.compile: each right against float64 first, then
device time in turns.

    bench/fuse.py PROGRAMS [--drawn COUNT] [--seed N] [--only NAME] [--eager] [--gradients]
                           [--beside FOLDER]

PROGRAMS: the folder of sluice and libsluice_rt.so. --eager: without torch.compile, whose tuning
takes most of the time. --gradients: the operators of sluice.nn alone, against PyTorch's gradients.
--beside: the folder python of another version, whose kernels run in turns with these.
"""

import argparse
import importlib.util
import math
import os
import pathlib
import random
import sys

import torch
import torch.nn.functional as F

from device_time import milliseconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDING = {torch.bfloat16: 2.0 ** -7, torch.float16: 2.0 ** -10, torch.float32: 2e-5}


# ---- The functions: the same text for all three -------------------------------------------------
# The kinds of tensors: m of rows x columns, v one number a column.


def rmsnorm_residual(x, residual, w):
    total = x + residual
    wide = total.float()
    scale = torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-6)
    return (wide * scale * w).to(x.dtype), total


def softmax_scale_mask(x, mask):
    return torch.softmax(x * 0.125 + mask, -1)


def bias_gelu_residual(x, b, residual):
    return F.gelu(x + b) + residual


def log_softmax(x):
    return torch.log_softmax(x, -1)


def standardise(x):
    wide = x.float()
    beside = wide - wide.mean(-1, keepdim=True)
    return (beside / torch.sqrt((beside * beside).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


def layer_norm(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b)


def three_sums(x, z):
    return x * (x * z).sum(-1, keepdim=True) + (x.sum(-1, keepdim=True) +
                                                (z * z).sum(-1, keepdim=True))


FUNCTIONS = {"rmsnorm_residual": (rmsnorm_residual, "mmv", 2),
             "softmax_scale_mask": (softmax_scale_mask, "mm", 1),
             "bias_gelu_residual": (bias_gelu_residual, "mvm", 1),
             "log_softmax": (log_softmax, "m", 1), "standardise": (standardise, "m", 1),
             "layer_norm": (layer_norm, "mvv", 1), "three_sums": (three_sums, "mm", 1)}
SHAPES = [(32768, 1024), (16384, 4096), (16384, 4097), (8192, 8192), (4096, 16384), (1024, 65536),
          (64, 32768)]


def drawn(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        columns = int(2 ** draw.uniform(8, 17))
        if draw.random() < 0.7:
            columns = columns // 8 * 8
        yield int(2 ** draw.uniform(22, 27)) // columns + 1, columns


def in_double(function, inputs):
    """Of the first rows, as many as find room."""
    rows, columns = inputs[0].shape
    few = max(1, (1 << 23) // columns)
    given = [(t if t.dim() == 1 else t[:few]).double() for t in inputs]
    made = double_of(function)(*given)
    return [y[:few] for y in (made if isinstance(made, tuple) else (made,))]


def double_of(function):
    """The function in float64: .float() of it would round."""
    text = {rmsnorm_residual: lambda x, r, w: ((x + r) * torch.rsqrt(
        ((x + r) ** 2).mean(-1, keepdim=True) + 1e-6) * w, x + r),
        standardise: lambda x: (x - x.mean(-1, keepdim=True)) / torch.sqrt(
            x.var(-1, keepdim=True, correction=0) + 1e-6)}
    return text.get(function, function)


def error_of(made, wanted):
    """The largest, of the largest value; of NaN it is infinite."""
    made = made if isinstance(made, tuple) else (made,)
    errors = [((y[:len(w)].double() - w).abs().max() / w.abs().max()).item()
              for y, w in zip(made, wanted)]
    return max(float("inf") if e != e else e for e in errors)


def version_in(folder):
    """Another version of the package, under a name of its own."""
    package = pathlib.Path(folder) / "sluice"
    spec = importlib.util.spec_from_file_location("sluice_beside", package / "__init__.py",
                                                  submodule_search_locations=[str(package)])
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(sluice, other, name, rows, columns, dtype, compiles):
    """Prints a line; whether it is right, and how many times as fast as the better of theirs."""
    function, kinds, results = FUNCTIONS[name]
    inputs = [torch.randn((rows, columns) if kind == "m" else (columns,), device="cuda",
                          dtype=dtype) for kind in kinds]
    ours = sluice.fuse(function)
    out = tuple(torch.full((rows, columns), float("nan"), device="cuda", dtype=dtype)
                for _ in range(results))
    target = out if results > 1 else out[0]
    ours(*inputs, out=target)
    error = error_of(out, in_double(function, inputs))
    good = error < ROUNDING[dtype]
    launches = [lambda: ours(*inputs, out=target), lambda: function(*inputs)]
    if compiles:
        torch._dynamo.reset()
        theirs = torch.compile(function, mode="max-autotune-no-cudagraphs", dynamic=False)
        theirs(*inputs)
        launches.append(lambda: theirs(*inputs))
    moved = rows * columns * (kinds.count("m") + results)
    source = torch.randn(moved // 2, device="cuda", dtype=dtype)
    copied = torch.empty_like(source)
    launches.append(lambda: copied.copy_(source))
    if other:
        before = other.fuse(function)
        launches.append(lambda: before(*inputs, out=target))
    times = milliseconds(launches, count=10)
    was = f"{times.pop() / times[0]:5.2f} times the other  " if other else ""
    mine, eager, *compiled, copy = times
    best = min([eager, *compiled])
    beside = f"{compiled[0] / mine:5.2f} times torch.compile" if compiled else ""
    print(f"{name:18} {rows:7} x {columns:6} {str(dtype)[6:]:8} {1000 * mine:8.1f} us  "
          f"{copy / mine:.3f} of a copy  {eager / mine:5.2f} times PyTorch  {beside}  {was}"
          f"error {error:.1e}  {ours.plan(*(tuple(t.shape) for t in inputs), dtype=dtype)}"
          f"{'' if good else '  FAILED'}", flush=True)
    return good, best / mine


def gradients():
    """sluice.nn against PyTorch in float64; how many are wrong."""
    import sluice.nn as nn
    wrong = 0
    for rows, columns in ((33, 1000), (300, 4096), (257, 8192), (40, 16384), (9, 32768), (5, 4097)):
        for dtype in (torch.bfloat16, torch.float32):
            x = torch.randn(rows, columns, device="cuda").to(dtype)
            w, b = (torch.randn(columns, device="cuda").to(dtype) for _ in "wb")
            labels = torch.randint(columns, (rows,), device="cuda")
            cases = {"rms_norm": ((x, w), nn.rms_norm, lambda x, w: x * torch.rsqrt(
                         (x * x).mean(-1, keepdim=True) + 1e-6) * w),
                     "layer_norm": ((x, w, b), nn.layer_norm, lambda x, w, b: F.layer_norm(
                         x, (columns,), w, b)),
                     "softmax": ((x,), nn.softmax, lambda x: torch.softmax(x, -1)),
                     "log_softmax": ((x,), nn.log_softmax, lambda x: torch.log_softmax(x, -1)),
                     "cross_entropy": ((x,), lambda x: nn.cross_entropy(x, labels, "none"),
                                       lambda x: F.cross_entropy(x, labels, reduction="none"))}
            for name, (given, ours, theirs) in cases.items():
                mine = [t.detach().clone().requires_grad_() for t in given]
                wide = [t.detach().double().requires_grad_() for t in given]
                y, want = ours(*mine), theirs(*wide)
                dy = torch.randn_like(want).to(y.dtype)
                y.backward(dy)
                want.backward(dy.double())
                error = error_of(tuple([y, *(t.grad for t in mine)]),
                                 [want, *(t.grad for t in wide)])
                bound = 4 * ROUNDING[dtype]  # the way back starts from rounded results
                wrong += not error < bound
                print(f"{name:14} {rows:5} x {columns:6} {str(dtype)[6:]:8} error {error:.1e}"
                      f"{'' if error < bound else '  FAILED'}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--only", default="")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--gradients", action="store_true")
    parser.add_argument("--beside")
    options = parser.parse_args()
    os.environ["SLUICE_BIN"] = str(pathlib.Path(options.programs).resolve())
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    if options.gradients:
        wrong = gradients()
        print(f"gradients: {wrong} wrong")
        return 1 if wrong else 0
    shapes = [(name, *shape) for name in FUNCTIONS for shape in SHAPES]
    if options.drawn:
        print(f"drawn, seed {options.seed}:")
        shapes += [(random.Random(options.seed + i).choice(list(FUNCTIONS)), *shape)
                   for i, shape in enumerate(drawn(options.drawn, options.seed))]
    other = version_in(options.beside) if options.beside else None
    results = [measure(sluice, other, *shape, torch.bfloat16, not options.eager)
               for shape in shapes if options.only in shape[0]]
    failed = sum(not good for good, _ in results)
    gains = [gain for _, gain in results]
    mean = math.exp(sum(map(math.log, gains)) / len(gains))
    print(f"{len(results)} rows, {failed} failed; {mean:.2f} times the better of PyTorch and "
          f"torch.compile on average, least {min(gains):.2f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
