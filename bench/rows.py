#!/usr/bin/env python3
"""Times an element-wise kernel of the tile level on a GPU, with and without stages.

    bench/rows.py build-release/bin        needs PyTorch; one line a shape and variant

silu_mul of test/Transform/streamed.mlir, bf16: Y = silu(X) G. Device time of one launch: the median
of 20 replays of a graph of 20, tensors larger than the second-level cache. Beside it a copy of as
many bytes by PyTorch, in the same process.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "test" / "Transform" / "streamed.mlir").read_text()
STAGES = "{sluice.stages = 4}"
VARIANTS = {
    "no stages": SOURCE.replace(" " + STAGES, ""),
    "stages 2": SOURCE.replace(STAGES, "{sluice.stages = 2}"),
    "stages 4": SOURCE,
    "stages 4, no role loads": SOURCE.replace("grid %gm :", "grid %gm {sluice.load_ahead} :"),
}
SHAPES = [(8448, 4096), (16384, 4096), (33792, 1024), (8448, 16384)]


def microseconds(launch):
    """Of one launch, on the device."""
    count = 20
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        launch()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(count):
                launch()
        times = []
        for _ in range(20):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1000 / count)
    return statistics.median(times)


def build(program, folder, text):
    path = pathlib.Path(folder) / "silu_mul.mlir"
    path.write_text(text)
    subprocess.run([str(program), "build", str(path), "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return str(pathlib.Path(folder) / "silu_mul.json")


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    os.environ["SLUICE_BIN"] = str(programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    failed = 0
    kernels, folders = {}, [tempfile.TemporaryDirectory() for _ in VARIANTS]
    for folder, (name, text) in zip(folders, VARIANTS.items()):
        kernels[name] = sluice.load(build(programs / "sluice", folder.name, text))
    for rows, columns in SHAPES:
        x, g = (torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        wanted = torch.nn.functional.silu(x.double()) * g.double()
        n = 3 * x.numel() // 2  # as many bytes, half of them read
        source, target = (torch.randn(n, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        copy = microseconds(lambda: target.copy_(source))
        for name, kernel in kernels.items():
            y = torch.full_like(x, float("nan"))
            kernel(x, g, out=y)
            error = ((y.double() - wanted).abs().max() / wanted.abs().max()).item()
            time = microseconds(lambda: kernel(x, g, out=y))
            good = error < 7.9e-3
            failed += not good
            print(f"silu_mul {rows} x {columns} bf16  {name:24} {time:9.1f} us  "
                  f"{copy / time:.2f} of a copy ({copy:.1f} us)  error {error:.1e}"
                  f"{'' if good else '  FAILED'}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
