#!/usr/bin/env python3
"""Times kernels along rows on a GPU beside a copy of the bytes that they move, and PyTorch's own.

    bench/rows.py build-release/bin [DRAWN [SEED]]    needs PyTorch; one line a shape

Device time of one launch: medians of replays of graphs, tensors as they are after normal random
inputs; the copy is PyTorch's, of as many bytes. DRAWN shapes more are drawn, with a printed seed.
"""

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


def silu_mul(x, g):
    return torch.nn.functional.silu(x) * g


def rmsnorm(x, w):
    return torch.nn.functional.rms_norm(x, x.shape[1:], w.reshape(-1), 1e-6)


KERNELS = {"silu_mul": silu_mul, "rmsnorm": rmsnorm}
SHAPES = [("silu_mul", rows, cols, "bf16", {})
          for rows, cols in ((131072, 1024), (32768, 4096), (8448, 4096), (8192, 16384),
                             (2048, 4096), (512, 131072), (32768, 4097))]
SHAPES += [("silu_mul", 16384, 4096, "f32", {})]
SHAPES += [("rmsnorm", rows, cols, "bf16", {})
           for rows, cols in ((131072, 1024), (65536, 2048), (32768, 4096), (8448, 4096),
                              (2048, 4096), (44739, 3000), (32768, 4095))]
SHAPES += [("rmsnorm", 32768, 4096, "bf16", {"stages": s}) for s in (1, 2, 3, 6)]
SHAPES += [(kernel, rows, cols, "bf16", {"staging": 1})
           for kernel in KERNELS
           for rows, cols in ((131072, 1024), (32768, 4096), (8448, 4096), (2048, 4096))]
SHAPES += [("rmsnorm", 32768, 4096, "bf16", {"staging": 1, "stages": 6}),
           ("rmsnorm", 32768, 2048, "f32", {"staging": 1})]
SHAPES += [("rmsnorm", 32768, 2048, "f32", {}), ("rmsnorm", 32768, 4096, "f16", {}),
           ("silu_mul", 32768, 4096, "f16", {})]


def drawn(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        kernel = draw.choice(list(KERNELS))
        dtype = draw.choice(["bf16", "f16"])
        most = 4096 if kernel == "rmsnorm" else 1 << 18
        cols = min(most, int(2 ** draw.uniform(8, 18))) // 8 * 8
        rows = int(2 ** draw.uniform(22, 27)) // cols + 1
        yield kernel, rows, cols, dtype, {}


def build(programs, kernel, settings):
    """The manifest."""
    folder = tempfile.mkdtemp()
    subprocess.run([str(programs / "sluice"), "build", kernel, "--set",
                    *(f"{name}={value}" for name, value in settings.items()), "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / f"{kernel}.json")


def measure(sluice, programs, kernel, rows, cols, dtype, settings):
    """Prints a line; whether it is right, and the ratio."""
    shape = {"rows": rows, "cols": cols, "dtype": dtype}
    function = sluice.load(build(programs, kernel, shape | settings))
    type_ = TYPES[dtype]
    x = torch.randn(rows, cols, device="cuda", dtype=type_)
    other = torch.randn(1 if kernel == "rmsnorm" else rows, cols, device="cuda", dtype=type_)
    y = torch.full_like(x, float("nan"))
    torch.cuda.synchronize()
    function(x, other, out=y)
    few = slice(0, 4096)  # float64 of more would not fit
    beside = other if kernel == "rmsnorm" else other[few]
    wanted = KERNELS[kernel](x[few].double(), beside.double())
    error = ((y[few].double() - wanted).abs().max() / wanted.abs().max()).item()
    good = error < ROUNDING[dtype] and not y.isnan().any().item()
    elements = x.numel() * (2 if kernel == "rmsnorm" else 3) // 2
    source = torch.randn(elements, device="cuda", dtype=type_)
    target = torch.empty_like(source)
    ours, copy, theirs = milliseconds(
        [lambda: function(x, other, out=y), lambda: target.copy_(source),
         lambda: KERNELS[kernel](x, other)], count=10)
    given = " ".join(f"{name}={value}" for name, value in settings.items())
    print(f"{kernel:8} {rows:7} x {cols:6} {dtype:4} {given:18} {1000 * ours:8.1f} us  "
          f"{copy / ours:.3f} of a copy  {theirs / ours:5.2f} times PyTorch  error {error:.1e}"
          f"{'' if good else '  FAILED'}", flush=True)
    return good, copy / ours


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    os.environ["SLUICE_BIN"] = str(programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 31)
    results = [measure(sluice, programs, *shape) for shape in SHAPES]
    if count:
        print(f"drawn, seed {seed}:")
        results += [measure(sluice, programs, *shape) for shape in drawn(count, seed)]
    failed = sum(not good for good, _ in results)
    print(f"{len(results)} rows, {failed} failed, least {min(r for _, r in results):.3f} of a copy")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
