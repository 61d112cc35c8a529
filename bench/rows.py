#!/usr/bin/env python3
"""Times kernels without products on a GPU, with and without stages, beside a copy.

    bench/rows.py build-release/bin        needs PyTorch; one line a shape and variant

silu_mul and rms_norm of test/Transform (streamed.mlir, two_passes.mlir), bf16. Device time of one
launch: the median of 20 replays of a graph of 20, tensors larger than the second-level cache.
Beside it a copy by PyTorch of the bytes that the kernel has to move, in the same process.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import torch
from device_time import milliseconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAGES = "{sluice.stages = 4}"
SHAPES = [(8448, 4096), (16384, 4096), (33792, 1024), (8192, 16384)]


def variants(text):
    """Texts by name."""
    narrow = text.replace("64x128", "64x64").replace("constant 128", "constant 64")
    yield "no stages", text.replace(" " + STAGES, "")
    yield "stages 2", text.replace(STAGES, "{sluice.stages = 2}")
    yield "stages 4", text
    yield "64 x 64, stages 2", narrow.replace(STAGES, "{sluice.stages = 2}")
    yield "64 x 64, stages 4", narrow
    yield "64 x 64, stages 4, no role loads", narrow.replace(
        "grid %gm :", "grid %gm {sluice.load_ahead} :")


def silu_mul(x, g):
    return torch.nn.functional.silu(x) * g


def rms_norm(x):
    return x * torch.rsqrt((x * x).sum(1, keepdim=True) + 1)


KERNELS = [("silu_mul", "streamed.mlir", 2, silu_mul), ("rms_norm", "two_passes.mlir", 1, rms_norm)]


def microseconds(launch):
    """Of one launch, on the device."""
    return 1000 * milliseconds([launch], count=20)[0]


def build(program, folder, name, text):
    path = pathlib.Path(folder) / f"{name}.mlir"
    path.write_text(text)
    subprocess.run([str(program), "build", str(path), "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / f"{name}.json")


def measure(name, kernels, inputs, reference):
    """Prints a line for each variant at each shape; how many were wrong."""
    failed = 0
    for rows, columns in SHAPES:
        given = [torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)
                 for _ in range(inputs)]
        wanted = reference(*(x.double() for x in given))
        torch.cuda.synchronize()
        moved = (inputs + 1) * rows * columns // 2  # elements that a copy reads, and writes
        source, target = (torch.randn(moved, device="cuda", dtype=torch.bfloat16)
                          for _ in range(2))
        copy = microseconds(lambda: target.copy_(source))
        for variant, kernel in kernels.items():
            y = torch.full_like(given[0], float("nan"))
            kernel(*given, out=y)
            error = ((y.double() - wanted).abs().max() / wanted.abs().max()).item()
            time = microseconds(lambda: kernel(*given, out=y))
            good = error < 7.9e-3
            failed += not good
            print(f"{name} {rows} x {columns} bf16  {variant:33} {time:7.1f} us  "
                  f"{copy / time:.2f} of a copy ({copy:.1f} us)  error {error:.1e}"
                  f"{'' if good else '  FAILED'}", flush=True)
    return failed


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    os.environ["SLUICE_BIN"] = str(programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, file, inputs, reference in KERNELS:
            kernels = {}
            for variant, text in variants((ROOT / "test" / "Transform" / file).read_text()):
                place = tempfile.mkdtemp(dir=folder)
                kernels[variant] = sluice.load(build(programs / "sluice", place, name, text))
            failed += measure(name, kernels, inputs, reference)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
