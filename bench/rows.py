#!/usr/bin/env python3
"""Times kernels along rows on a GPU beside a copy of the bytes that they move, and PyTorch's own.

    bench/rows.py build-release/bin [DRAWN [SEED]]    needs PyTorch; one line a shape
    bench/rows.py build-release/bin --only 'softmax rows=4096 cols=16384, add cols=4097 dtype=f32'

Device time of one launch: medians of replays of graphs, tensors as they are after normal random
inputs; the copy is PyTorch's, of as many bytes. Kernels are as the planner has them, unless their
settings say otherwise. DRAWN shapes more are drawn, with a printed seed. --only takes kernels with
settings as --set has them (rows=16384 cols=4096 dtype=bf16 where it says no other; plan=no: as they
are without a plan), instead of those below.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
from device_time import milliseconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
ROUNDING = {"bf16": 2.0**-7, "f16": 2.0**-10, "f32": 1e-5}


F = torch.nn.functional


def silu_mul_backward(x, g, dy):
    s = torch.sigmoid(x)
    return dy * g * s * (1 + x * (1 - s)), dy * x * s


def cross_entropy(x, labels):
    labels = labels.reshape(-1).long()
    return (F.cross_entropy(x, labels, reduction="none").reshape(-1, 1),
            torch.logsumexp(x, 1, keepdim=True))


def cross_entropy_backward(x, labels, lse, dloss):
    share = torch.exp(x - lse.to(x.dtype))
    return share.scatter_add(1, labels.long(), -torch.ones_like(share[:, :1])) * dloss.to(x.dtype)


def add_rmsnorm(x, r, w):
    h = x + r
    return F.rms_norm(h, h.shape[1:], w.reshape(-1), 1e-6), h


def add_layernorm(x, r, w, b):
    h = x + r
    return F.layer_norm(h, h.shape[1:], w.reshape(-1), b.reshape(-1), 1e-6), h


def rmsnorm_backward(x, dy, w, rstd):
    n, g = x * rstd.to(x.dtype), dy * w
    return rstd.to(x.dtype) * (g - n * (g * n).mean(1, keepdim=True)), (dy * n).sum(0)


def layernorm_backward(x, dy, w, mean, rstd):
    w = w.reshape(-1)
    return torch.ops.aten.native_layer_norm_backward(
        dy, x, x.shape[1:], mean, rstd, w, w, [True, True, True])


def quantise(x):
    scale = x.abs().amax(1, keepdim=True) / 448
    q = x / scale.to(x.dtype)
    return q if x.dtype == torch.float64 else q.to(torch.float8_e4m3fn), scale


DROPPED = 0.1
ARGUMENTS = (0x1234567, -5, 3, DROPPED)  # halves of the seed, stream, probability


def uniform(rows, columns):
    """The random numbers of dropout (docs/semantics.md): Philox4x32-10, its words in 64 bits."""
    low = 0xffffffff
    seed0, seed1, stream, _ = (a & low if isinstance(a, int) else a for a in ARGUMENTS)
    c0 = torch.arange((columns + 3) // 4, device="cuda").expand(rows, -1)
    c1 = torch.arange(rows, device="cuda")[:, None].expand_as(c0)
    c2, c3 = torch.full_like(c0, stream), torch.zeros_like(c0)
    for turn in range(10):
        even, odd = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0 = (odd >> 32 & low) ^ c1 ^ (seed0 + turn * 0x9E3779B9 & low)
        c2 = (even >> 32 & low) ^ c3 ^ (seed1 + turn * 0xBB67AE85 & low)
        c1, c3 = odd & low, even & low
    words = torch.stack([c0, c1, c2, c3], 2).reshape(rows, -1)[:, :columns]
    return (words >> 8).float() / 2**24


def dropout(x, r=None):
    """PyTorch's own; in float64 with our numbers."""
    if x.dtype == torch.float64:
        y = torch.where(uniform(*x.shape) >= DROPPED, x / (1 - DROPPED), 0.0)
    else:
        y = F.dropout(x, DROPPED)
    return y if r is None else r + y


# What PyTorch has, and of inputs and outputs in order: m: rows x cols, v: 1 x cols, l: labels, one
# a row, r: a float of each row, s: floats whose sum over rows is the result, q: e4m3, t: cols x
# rows.
KERNELS = {
    "copy": (lambda x: x.clone(), "m", "m"),
    "add": (lambda x, z: x + z, "mm", "m"),
    "bias_gelu": (lambda x, b: F.gelu(x + b), "mv", "m"),
    "silu_mul": (lambda x, g: F.silu(x) * g, "mm", "m"),
    "silu_mul_backward": (silu_mul_backward, "mmm", "mm"),
    "rmsnorm": (lambda x, w: F.rms_norm(x, x.shape[1:], w.reshape(-1), 1e-6), "mv", "m"),
    "layernorm": (lambda x, w, b: F.layer_norm(x, x.shape[1:], w.reshape(-1), b.reshape(-1), 1e-6),
                  "mvv", "m"),
    "softmax": (lambda x: torch.softmax(x, 1), "m", "m"),
    "log_softmax": (lambda x: torch.log_softmax(x, 1), "m", "m"),
    "softmax_backward": (
        lambda y, dy: torch._softmax_backward_data(dy, y, 1, y.dtype), "mm", "m"),
    "cross_entropy": (cross_entropy, "ml", "rr"),
    "cross_entropy_backward": (cross_entropy_backward, "mlrr", "m"),
    "gelu_backward": (lambda x, dy: torch.ops.aten.gelu_backward(dy, x), "mm", "m"),
    "scale_bias_relu": (lambda x, s, b: F.relu(x * s + b), "mvv", "m"),
    "add_rmsnorm": (add_rmsnorm, "mmv", "mm"),
    "add_layernorm": (add_layernorm, "mmvv", "mm"),
    "quantise": (quantise, "m", "qr"),
    "dropout": (dropout, "m", "m"),
    "add_dropout": (dropout, "mm", "m"),
    "transpose": (lambda x: x.t().contiguous(), "m", "t"),
    "rmsnorm_backward": (rmsnorm_backward, "mmvr", "ms"),
    "layernorm_backward": (layernorm_backward, "mmvrr", "mss"),
}
BACKWARD = ("rmsnorm_backward", "layernorm_backward")
WHOLE = ("rmsnorm", "layernorm", "softmax", "log_softmax", "softmax_backward", "cross_entropy")
SHAPES = [("silu_mul", rows, cols, "bf16", {})
          for rows, cols in ((131072, 1024), (32768, 4096), (8448, 4096), (8192, 16384),
                             (2048, 4096), (512, 131072))]
SHAPES += [("silu_mul", 16384, 4096, "f32", {})]
SHAPES += [("rmsnorm", rows, cols, "bf16", {})
           for rows, cols in ((131072, 1024), (65536, 2048), (32768, 4096), (8448, 4096),
                              (2048, 4096), (44739, 3000))]
SHAPES += [("rmsnorm", 32768, 4096, "bf16", {"stages": s}) for s in (1, 2, 3, 6)]
SHAPES += [(kernel, rows, cols, "bf16", {"staging": 1})
           for kernel in ("silu_mul", "rmsnorm")
           for rows, cols in ((131072, 1024), (32768, 4096), (8448, 4096), (2048, 4096))]
SHAPES += [("rmsnorm", 32768, 4096, "bf16", {"staging": 1, "stages": 6}),
           ("rmsnorm", 32768, 2048, "f32", {"staging": 1})]
SHAPES += [("rmsnorm", 32768, 2048, "f32", {}), ("rmsnorm", 32768, 4096, "f16", {}),
           ("silu_mul", 32768, 4096, "f16", {})]
# Every kernel: rows that TMA takes, and those that threads load in shifted pieces.
SHAPES += [(kernel, rows, cols, "bf16", {})
           for kernel in KERNELS
           for rows, cols in ((32768, 1024), (16384, 4096), (16384, 4097), (32768, 1001))]
SHAPES += [(kernel, rows, cols, "bf16", {})
           for kernel in ("quantise", *BACKWARD) for rows, cols in ((8192, 8192), (4096, 16384))]
# Rows that no warp holds, as planned and in two passes.
SHAPES += [(kernel, rows, cols, "bf16", settings)
           for kernel in WHOLE
           for rows, cols in ((8192, 8192), (4096, 16384), (2112, 32768), (2048, 65536),
                              (1056, 131072), (4096, 16385))
           for settings in ({}, {"plan": "no"})]
# The warps of a CTA share a row, which is held whole up to 16384 columns.
SHAPES += [(kernel, rows, cols, "bf16", {"parts": 8, "staging": staging})
           for kernel in ("rmsnorm", "layernorm", "softmax")
           for rows, cols in ((8192, 8192), (4096, 16384), (2112, 32768), (2048, 65536),
                              (1056, 131072))
           for staging in (0, 1)]
# The CTAs of a cluster do: 2 to 8 times as long; longer rows in two visits.
SHAPES += [(kernel, rows, cols, "bf16", {"parts": parts, "staging": staging})
           for kernel in ("rmsnorm", "layernorm", "softmax")
           for rows, cols, parts in ((2112, 32768, 16), (2112, 32768, 32), (2048, 65536, 32),
                                     (1056, 131072, 64), (512, 262144, 64))
           for staging in (0, 1)]
SHAPES += [("softmax", 2048, 65536, "bf16", {"plan": "no", "ctas": c}) for c in (66, 96)]
SHAPES += [("softmax", 4096, 16384, "bf16", {"plan": "no", "stages": s}) for s in (2, 6)]
SHAPES += [("softmax", rows, cols, "f32", {})
           for rows, cols in ((16384, 2048), (8192, 8192), (16384, 2049))]


def drawn(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        kernel = draw.choice([name for name in KERNELS if name not in BACKWARD])
        dtype = draw.choice(["bf16", "f16"])
        cols = int(2 ** draw.uniform(8, 17))
        if draw.random() < 0.7:
            cols = cols // 8 * 8
        rows = int(2 ** draw.uniform(22, 27)) // cols + 1
        yield kernel, rows, cols, dtype, {}


def asked(text):
    """Shapes as --only has them."""
    for part in text.split(","):
        kernel, *words = part.split()
        if kernel not in KERNELS or not all("=" in word for word in words):
            sys.exit(f"--only {part}: one of {', '.join(KERNELS)}, then settings as --set has them")
        given = {word.split("=")[0] for word in words}
        if kernel.endswith("dropout") and given & {"p", "seed", "stream"}:
            sys.exit(f"--only {part}: p, seed and stream are arguments of a launch, ARGUMENTS here")
        settings = {"rows": "16384", "cols": "4096", "dtype": "bf16",
                    **dict(word.split("=", 1) for word in words)}
        rows, cols, dtype = (settings.pop(name) for name in ("rows", "cols", "dtype"))
        if not (rows + cols).isdigit() or dtype not in TYPES:
            sys.exit(f"--only {part}: numbers for rows and cols, {', '.join(TYPES)} for dtype")
        yield kernel, int(rows), int(cols), dtype, settings


def build(programs, kernel, settings):
    """The manifest."""
    folder = tempfile.mkdtemp()
    subprocess.run([str(programs / "sluice"), "build", kernel, "--set",
                    *(f"{name}={value}" for name, value in settings.items()), "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / f"{kernel}.json")


def made(kind, rows, cols, dtype):
    """An input."""
    if kind == "l":
        return torch.randint(cols, (rows, 1), device="cuda", dtype=torch.int32)
    if kind == "r":
        return torch.randn(rows, 1, device="cuda", dtype=torch.float32)
    return torch.randn(1 if kind == "v" else rows, cols, device="cuda", dtype=dtype)


def made_for(kind, shape, dtype):
    """An output."""
    if kind == "s":
        return torch.zeros(shape, device="cuda", dtype=torch.float32)
    dtype = {"m": dtype, "t": dtype, "q": torch.float8_e4m3fn}.get(kind, torch.float32)
    return torch.full(shape, float("nan"), device="cuda").to(dtype)


def error_of(outputs, wanted):
    """The largest, of the largest value; of NaN it is infinite."""
    errors = [((y.double() - w).abs().max() / w.abs().max()).item()
              for y, w in zip(outputs, wanted)]
    return max(float("inf") if e != e else e for e in errors)


def launched(function, kernel, tensors):
    """A launch of the kernel on these inputs and outputs."""
    inputs = len(KERNELS[kernel][1])
    out = tuple(tensors[inputs:])
    given = ARGUMENTS if kernel.endswith("dropout") else ()
    return lambda: function(*tensors[:inputs], out=out if len(out) > 1 else out[0],
                            arguments=given)


def measure(sluice, programs, kernel, rows, cols, dtype, settings):
    """Prints a line; whether it is right, and the ratio."""
    shape = {"rows": rows, "cols": cols, "dtype": dtype}
    function = sluice.load(build(programs, kernel, shape | settings))
    theirs, kinds, results = KERNELS[kernel]
    type_ = TYPES[dtype]
    inputs = [made(kind, rows, cols, type_) for kind in kinds]
    outputs = tuple(made_for(kind, shape, type_)
                    for kind, shape in zip(results, function.output_shapes(*inputs)))
    launch = launched(function, kernel, [*inputs, *outputs])
    torch.cuda.synchronize()
    launch()
    # float64 of more would not fit; sums need all
    few = slice(0, rows if "s" in results or "t" in results else max(1, (1 << 24) // cols))
    tops = [t if kind == "v" else t[few] for t, kind in zip(inputs, kinds)]
    wanted = theirs(*(t if kind == "l" else t.double() for t, kind in zip(tops, kinds)))
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    error = error_of([y.sum(0) if kind == "s" else y[few] for y, kind in zip(outputs, results)],
                     wanted)
    rounding = 2.0**-4 if "q" in results else ROUNDING[dtype] if set(results) & set("mt") else 1e-5
    good = error < rounding and not any(y.float().isnan().any().item() for y in outputs)
    moved = sum(t.nbytes for t, kind in zip([*inputs, *outputs], kinds + results) if kind in "mqt")
    source = torch.randn(moved // 2 // type_.itemsize, device="cuda", dtype=type_)
    target = torch.empty_like(source)
    ours, copy, other = milliseconds(
        [launch, lambda: target.copy_(source), lambda: theirs(*inputs)], count=10)
    given = " ".join(f"{name}={value}" for name, value in settings.items())
    print(f"{kernel:17} {rows:7} x {cols:6} {dtype:4} {given:18} {1000 * ours:8.1f} us  "
          f"{copy / ours:.3f} of a copy  {other / ours:5.2f} times PyTorch  error {error:.1e}"
          f"{'' if good else '  FAILED'}", flush=True)
    return good, copy / ours


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("drawn", nargs="?", type=int, default=0)
    parser.add_argument("seed", nargs="?", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--only", type=lambda text: list(asked(text)))
    given = parser.parse_args()
    os.environ["SLUICE_BIN"] = str(given.programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    results = [measure(sluice, given.programs, *shape) for shape in given.only or SHAPES]
    if given.drawn:
        print(f"drawn, seed {given.seed}:")
        results += [measure(sluice, given.programs, *shape)
                    for shape in drawn(given.drawn, given.seed)]
    failed = sum(not good for good, _ in results)
    print(f"{len(results)} rows, {failed} failed, least {min(r for _, r in results):.3f} of a copy")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
