"""The sizes of nvFuser's other TMA tests (pointwise, persistent buffer, combined inner and outer
reduction, reduction, cluster), over the kernels of the catalogue.

    catalogue.py FAMILY ...              all points of these, or of all
    catalogue.py drawn COUNT [SEED]      some of all, with a fresh seed unless one is given

Each is computed by the virtual machine beside float64 (`sluice run`). Rows are few: each is
computed alone, and what CTAs do one after another is proven for every number of them. Exit code 1:
some are wrong, or refused, which are named.
"""
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

LENGTHS = [*(2**k for k in range(21)), 1048584, 1048583, 1023]
HIDDEN = [2048, 2560, 3072, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384, 18432]
VOCABULARIES = [129280, 128256, 202048, 256000, 131072, 152064, 100352, 1048576]
BOTH = ("f32", "bf16")


def pointwise():
    """Lengths as columns and, up to 4096, as rows; two inputs."""
    for dtype in BOTH:
        yield from (f"add rows=1 cols={n} dtype={dtype}" for n in LENGTHS)
        yield from (f"add rows={n} cols=1 dtype={dtype}" for n in LENGTHS if n <= 4096)
        yield f"add rows=300 cols=1023 dtype={dtype} pad=1"
        yield f"silu_mul_backward rows=9 cols=1048 dtype={dtype}"
    yield "add rows=70000 cols=8"  # more than a grid has along y


def broadcast():
    """A vector for all rows; one number for each row."""
    for n in (1, 8, 1023, 1024, 4096, 16384, 1048583):
        yield f"bias_gelu rows=3 cols={n} dtype=f32"
        yield f"scale_bias_relu rows=3 cols={n}"
        yield f"cross_entropy_backward rows=3 cols={n}"


def mixed():
    """Inputs and results of other types."""
    for n in (1, 8, 1023, 1024, 4096, 16384):
        yield f"quantise rows=5 cols={n}"
        yield f"cross_entropy rows=5 cols={n} dtype=f16"
        yield f"argmax rows=5 cols={n}"


def persistent_buffer():
    for kernel in ("rmsnorm", "layernorm", "softmax"):
        yield from (f"{kernel} rows=9 cols={n} dtype={d}" for n in HIDDEN for d in BOTH)
    yield "rmsnorm rows=2049 cols=512"
    yield "layernorm rows=133 cols=10240"
    yield "softmax rows=40 cols=10240"


def inner_outer():
    """The ways back through norms, dW among their results where a CTA holds it."""
    for kernel in ("rmsnorm_backward", "layernorm_backward"):
        for dtype in BOTH:
            yield from (f"{kernel} rows=9 cols={n} dtype={dtype} weights=auto"
                        for n in range(1024, 8193, 256))
        yield f"{kernel} rows=9 cols=4096 pad=8 weights=auto"
        yield f"{kernel} rows=9 cols=1023 weights=auto"


def reductions():
    """Along columns, and along rows (lines of CTAs, which sum_rows adds up)."""
    for n in (1, 8, 1023, 1024, 8192, 65536, 1048576, 1048583):
        for dtype in BOTH:
            yield f"cross_entropy rows=2 cols={n} dtype={dtype}"
            yield f"sum_rows rows=264 cols={min(n, 8192)} dtype={dtype}"
            yield f"norm_weights_backward rows=70 cols={min(n, 16384)} dtype={dtype}"


def clusters():
    for parts in (16, 32, 64):
        for dtype in ("bf16", "f16", "f32"):
            yield f"softmax rows=3 cols={parts * 1024} dtype={dtype} parts={parts} plan=auto"
            yield f"rmsnorm rows=3 cols={parts * 512} dtype={dtype} parts={parts} plan=auto"


def vocabularies():
    for n in VOCABULARIES:
        yield f"softmax rows=2 cols={n}"
        yield f"cross_entropy rows=2 cols={n}"


FAMILIES = {f.__name__: f for f in (pointwise, broadcast, mixed, persistent_buffer, inner_outer,
                                    reductions, clusters, vocabularies)}


def try_point(point):
    """What is wrong, with the point."""
    kernel, *settings = point.split()
    done = subprocess.run(["sluice", "run", kernel, "--device", "sim", "--random", "1", "--set",
                           *settings], capture_output=True, text=True)
    return f"{point}: {(done.stdout + done.stderr).strip()}" if done.returncode else ""


def main():
    given = sys.argv[1:]
    if given and given[0] == "drawn":
        seed = int(given[2]) if len(given) > 2 else random.SystemRandom().randrange(1 << 31)
        print(f"seed {seed}")
        draw = random.Random(seed)
        small = [p for f in FAMILIES.values() for p in f() if "1048" not in p and "=70000" not in p]
        points = draw.sample(small, int(given[1]))
    else:
        points = [p for name in given or FAMILIES for p in FAMILIES[name]()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(try_point, points) if text]
    print("\n".join(wrong))
    print(f"{len(points)} points, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
