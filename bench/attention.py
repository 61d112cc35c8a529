#!/usr/bin/env python3
"""Times attention on a GPU in turns with PyTorch's scaled_dot_product_attention.

    bench/attention.py build-release/bin [DRAWN]     needs PyTorch; one line a shape

bf16, tensors [B, S, H, d] of normal values. Device time of one launch: the median of 20 replays of
a graph of 5, ours and cuDNN's in turns, in the same process. The largest error over some heads
against float64, relative to the largest value. DRAWN shapes more come from a seed that is printed.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import torch
from device_time import milliseconds
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

ROOT = pathlib.Path(__file__).resolve().parent.parent
# batch, heads, heads of K and V, queries, keys, d, causal
SHAPES = [(b, 2048 // d, 2048 // d, s, s, d, causal) for causal in (False, True)
          for d in (64, 128, 256) for b, s in ((16, 1024), (4, 4096), (1, 16384))]
RAGGED = [(2, 4, 2, 777, 900, 128, True), (3, 6, 2, 1, 1000, 64, False),
          (1, 8, 1, 900, 777, 128, True), (2, 4, 4, 333, 65, 256, False)]


def draw(count):
    seed = random.SystemRandom().randrange(2**31)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(count):
        shared = rng.choice((1, 1, 2, 4))
        kv = rng.choice((1, 2, 4, 8))
        s = rng.randrange(200, 9000)
        keys = rng.choice((s, rng.randrange(200, 9000)))
        yield (rng.randrange(1, 9), kv * shared, kv, s, keys, rng.choice((64, 128, 256)),
               rng.random() < 0.5 and keys >= s)


def error_of(out, q, k, v, causal, heads=2):
    """Of some heads of the last batch, in float64; a query that sees no key gives zeros."""
    worst, largest = 0.0, 0.0
    shared = q.shape[2] // k.shape[2]
    for h in random.sample(range(q.shape[2]), min(heads, q.shape[2])):
        s = q[-1, :, h].double() @ k[-1, :, h // shared].double().T / q.shape[3]**0.5
        if causal:
            i, j = (torch.arange(n, device=s.device) for n in s.shape)
            s = s.masked_fill(j[None, :] > i[:, None] + s.shape[1] - s.shape[0], float("-inf"))
        want = torch.nan_to_num(torch.softmax(s, 1), nan=0.0) @ v[-1, :, h // shared].double()
        worst = max(worst, (out[-1, :, h].double() - want).abs().max().item())
        largest = max(largest, want.abs().max().item())
    return worst / max(largest, 1e-30)


def sdpa(q, k, v, causal):
    views = [x.transpose(1, 2) for x in (q, k, v)]
    shared = q.shape[2] != k.shape[2]
    return lambda: scaled_dot_product_attention(*views, is_causal=causal, enable_gqa=shared)


def measure(kernels, shape, timed=True):
    b, h, kv, s, keys, d, causal = shape
    q = torch.randn(b, s, h, d, device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn(b, keys, kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    out = torch.full_like(q, float("nan"))
    kernel = kernels(d, causal)
    kernel(q, k, v, out=out)
    error = error_of(out, q, k, v, causal)
    good = error < 7.9e-3
    text = f"{b}x{s}x{h} keys {keys}x{kv} d {d} {'causal' if causal else 'full  '}"
    tail = f"error {error:.1e}{'' if good else '  FAILED'}"
    if not timed:
        print(f"{text:44} {tail}", flush=True)
        return good, None
    seen = sum(max(0, min(keys, i + 1 + keys - s)) for i in range(s)) if causal else s * keys
    work = 4.0 * b * h * d * seen
    launches = [lambda: kernel(q, k, v, out=out)]
    # PyTorch aligns a causal mask with the first key, ours (as FlashAttention) with the last.
    if not causal or s == keys:
        launches.append(sdpa(q, k, v, causal))
    with sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION], set_priority=True):
        times = milliseconds(launches, count=5)
    rates = [work / t / 1e9 for t in times]
    ratio = f"{times[1] / times[0]:.2f} of cuDNN ({rates[1]:.0f})" if len(times) > 1 else ""
    print(f"{text:44} {times[0]:8.3f} ms {rates[0]:5.0f} TFLOPS  {ratio:22} {tail}", flush=True)
    return good, times[1] / times[0] if len(times) > 1 else None


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    drawn = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    os.environ["SLUICE_BIN"] = str(programs)
    sys.path.insert(0, str(ROOT / "python"))
    import sluice
    built = {}
    with tempfile.TemporaryDirectory() as folder:

        def kernels(d, causal):
            if (d, causal) not in built:
                place = tempfile.mkdtemp(dir=folder)
                subprocess.run([str(programs / "sluice"), "build", "attention", "--set", f"d={d}",
                                f"causal={'yes' if causal else 'no'}", "-o", place], check=True,
                               stdout=subprocess.DEVNULL)
                built[d, causal] = sluice.load(str(next(pathlib.Path(place).glob("*.json"))))
            return built[d, causal]

        results = [measure(kernels, shape, timed=False) for shape in RAGGED]
        results += [measure(kernels, shape) for shape in SHAPES]
        results += [measure(kernels, shape) for shape in draw(drawn)]
    ratios = [ratio for _, ratio in results if ratio]
    failed = sum(not good for good, _ in results)
    print(f"geometric mean {statistics.geometric_mean(ratios):.3f} of cuDNN, least "
          f"{min(ratios):.2f}; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
