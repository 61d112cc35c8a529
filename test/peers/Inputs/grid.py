"""The grids of nvFuser's circular-buffering tests, over the scenarios of circular.py.

    grid.py tma [SCENARIO ...]           stages 2, 4; every prefetch, mode, load by TMA; 6 sizes
    grid.py threads [SCENARIO ...]       stages 2, 5, 9; loads by threads; ragged sizes
    grid.py drawn COUNT [SEED]           points of both, with a fresh seed unless one is given

Every program is proven for every launch (`sluice check`) and every launch of it computed by the
virtual machine, beside float64. Exit code 1: some are not, which are named.
"""
import itertools
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import npy
from circular import MODES, SCENARIOS, Point

TMA_SIZES = list(itertools.product((128, 500, 1024), (1024, 2048)))
RAGGED = [(33, 48), (7, 500), (4, 1000), (5, 2000)]
PRODUCTS = [(128, 1024, 192), (100, 1024, 136)]  # M, K, N: a launch takes seconds otherwise


class Data:
    """Inputs and what is expected of them, as files that several launches share."""

    def __init__(self, folder):
        self.folder, self.made = Path(folder), {}

    def file(self, name, shape, values, descr="<f4"):
        path = self.folder / f"{name}-{'x'.join(map(str, shape))}.npy"
        if path not in self.made:
            self.made[path] = values()
            npy.write(path, descr, shape, self.made[path])
        return path

    def values(self, name, shape):
        """Uniform in [-2, 2), as f32 holds them."""
        def make():
            draw = random.Random(f"{name} {shape}")
            numbers = [draw.uniform(-2, 2) for _ in range(math.prod(shape))]
            return struct.unpack(f"{len(numbers)}f", struct.pack(f"{len(numbers)}f", *numbers))
        path = self.file(name, shape, make)
        return path, self.made[path]


def rows_of(values, columns):
    return [values[i:i + columns] for i in range(0, len(values), columns)]


def normalised(row):
    mean = sum(row) / len(row)
    variance = sum((x - mean) ** 2 for x in row) / len(row)
    return [(x - mean) / math.sqrt(variance) for x in row]


def one_input(scenario, data, m, n):
    """Files X and Y, and the extents of Y."""
    m = 4 if scenario.startswith("single_dim") else m
    path, x = data.values("X", (m, n))
    if scenario == "inner_reduction":
        return {"X": path}, (m, 1), lambda: [sum(row) for row in rows_of(x, n)]
    if scenario == "outer_reduction":
        lines = rows_of(x, n)
        return {"X": path}, (4, n), lambda: [
            sum(column) for i in range(4) for column in zip(*(lines[i::4] or [[0.0] * n]))]
    if scenario == "persistent":
        return {"X": path}, (m, n), lambda: [y for row in rows_of(x, n) for y in normalised(row)]
    return {"X": path}, (m, n), lambda: [math.exp(v) for v in x]


def two_inputs(scenario, data, m, n):
    (x_path, x), (z_path, z) = (data.values(name, (m, n)) for name in "XZ")
    inputs = {"X": x_path, "Z": z_path}
    if scenario == "bar_sync":
        return inputs, (m, n), lambda: [math.exp(a + b) for a, b in zip(x, z)]
    if scenario == "nested":  # each piece and the first one of the row
        first = [row[:256] for row in rows_of(z, n)]
        return inputs, (m, n), lambda: [
            v + (first[i][j % 256] if j % 256 < len(first[i]) else 0.0)
            for i, row in enumerate(rows_of(x, n)) for j, v in enumerate(row)]
    return inputs, (m, n), lambda: [a + b for a, b in zip(x, z)]


def product(data, m, k, n):
    """Three numbers in a row of A, so that all of K has its turn; exact in f16 and f32."""
    draw = random.Random(k)
    places = [sorted(draw.sample(range(k), 3)) for _ in range(m)]
    b = [float(draw.randint(-4, 4)) for _ in range(k * n)]

    def left():
        a = [0.0] * (m * k)
        for i, row in enumerate(places):
            for at in row:
                a[i * k + at] = float(1 + at % 3)
        return a
    inputs = {"X": data.file("A", (m, k), left, "<f2"),
              "Z": data.file("B", (k, n), lambda: b, "<f2")}
    return inputs, (m, n), lambda: [
        sum((1 + at % 3) * b[at * n + j] for at in row) for row in places for j in range(n)]


def launch_of(scenario, data, size):
    """Words for `sluice run`."""
    if scenario == "matmul":
        inputs, shape, expected = product(data, *size)
    elif scenario in ("pointwise", "pointwise_cp_async", "bar_sync", "nested"):
        inputs, shape, expected = two_inputs(scenario, data, *size)
    else:
        inputs, shape, expected = one_input(scenario, data, *size)
    result = data.file(f"Y-{scenario}-{'x'.join(map(str, size))}", shape, expected)
    return ["--in", *(f"{name}={path}" for name, path in inputs.items()),
            "--set", f"Y={'x'.join(map(str, shape))}", "--expect", f"Y={result}"]


def points_of(grid, scenarios):
    """Scenario and point, with the sizes of its launches."""
    counts, loads = ((2, 4), ("tensor", "bulk")) if grid == "tma" else ((2, 5, 9), ("threads",))
    for name in scenarios:
        sizes = PRODUCTS if name == "matmul" else TMA_SIZES if grid == "tma" else RAGGED
        if name == "persistent" and grid == "threads":  # whole rows: multiples of 256
            sizes = [(33, 256), (7, 512), (4, 1024), (5, 2048)]
        if name == "nested":  # one CTA for all
            sizes = [(128, 1024), (100, 2048)] if grid == "tma" else RAGGED
        if name.startswith("single_dim"):  # one CTA for four rows
            sizes = sorted({(4, n) for _, n in sizes})
        for load, stages, mode in itertools.product(loads, counts, MODES):
            if name == "matmul" and load == "bulk":
                continue  # a product's operands come in boxes: refused.test
            if name == "pointwise_cp_async" and grid == "threads":
                continue  # pointwise has both by threads
            if name == "persistent" and stages == 9:
                continue  # 9 stages of four rows of 8 KB are more than shared memory
            for ahead in range(stages):
                if (name, stages, mode) == ("nested", 9, "specialised") and ahead > 6:
                    continue  # proven for a launch alone: more than 20000 states
                by_width = {}
                for size in sizes:
                    by_width.setdefault(size[1] if name == "persistent" else 1024, []).append(size)
                for width, launches in by_width.items():
                    yield name, Point(stages, ahead, mode, load, width), launches


def told(name, point):
    return (f"{name} stages={point.stages} prefetch={point.prefetch} {point.mode} {point.load} "
            f"columns={point.columns}")


def sluice(*words):
    done = subprocess.run(["sluice", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def try_point(folder, number, data, name, point, sizes):
    """What is wrong with a program or its launches, each with the point."""
    path = Path(folder) / f"{name}-{number}.mlir"
    path.write_text(SCENARIOS[name](point))
    code, text = sluice("check", path)
    if code or "\nproven: every launch" not in text:
        return [f"{told(name, point)}: {text}"]
    wrong = []
    for size in sizes:
        code, text = sluice("run", path, "--device", "sim", *launch_of(name, data, size))
        if code:
            wrong.append(f"{told(name, point)} at {size}: {text}")
    return wrong


def drawn(count, seed):
    draw = random.Random(seed)
    both = [list(points_of(grid, [name])) for grid in ("tma", "threads") for name in SCENARIOS]
    for _ in range(count):
        name, point, sizes = draw.choice(draw.choice([points for points in both if points]))
        least = sorted(sizes, key=math.prod)[:2]
        yield name, point, [draw.choice(least)]


def main():
    grid, *rest = sys.argv[1:]
    if grid == "drawn":
        seed = int(rest[1]) if len(rest) > 1 else random.SystemRandom().randrange(1 << 31)
        print(f"seed {seed}")
        points = list(drawn(int(rest[0]), seed))
    else:
        points = list(points_of(grid, rest or SCENARIOS))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        data = Data(folder)
        for name, _, sizes in points:  # made once, before they are shared
            for size in sizes:
                launch_of(name, data, size)
        jobs = [pool.submit(try_point, folder, i, data, *point) for i, point in enumerate(points)]
        wrong = [text for job in jobs for text in job.result()]
    print("\n".join(wrong))
    launches = sum(len(sizes) for _, _, sizes in points)
    print(f"{len(points)} programs proven, {launches} launches, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
