#!/usr/bin/env python3
"""The runtime on a GPU: launches from manifests, checked against PyTorch, and what they cost.

bench/launch.py [folder of the programs]: needs CUDA's driver, NVRTC or nvcc, and PyTorch. Prints a
row for each check as it comes; exit 0 when all are right and within their aims.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build-release" / "bin").resolve()
os.environ["SLUICE_BIN"] = str(BIN)
sys.path.insert(0, str(ROOT / "python"))

import torch
import sluice
from sluice._build import _environment

failed = []


def row(name, good, text):
    print(f"{'ok  ' if good else 'FAIL'} {name:46} {text}", flush=True)
    if not good:
        failed.append(name)


def error_of(c, a, b, bias=None, activation=None):
    """Largest difference from float64, of the largest value."""
    expected = a.double() @ b.double()
    if bias is not None:
        expected = expected + bias.double()
    if activation == "relu":
        expected = expected.relu()
    if activation == "gelu":
        expected = torch.nn.functional.gelu(expected)
    if not torch.isfinite(c).all():
        return float("inf")
    return ((c.double() - expected).abs().max() / expected.abs().max().clamp(min=1e-30)).item()


def matrix(rows, cols, dtype, by_columns=False, device="cuda"):
    shape = (cols, rows) if by_columns else (rows, cols)
    m = torch.randn(shape, device=device).to(dtype)
    return m.t() if by_columns else m


def poisoned(rows, cols, dtype):
    return torch.full((rows, cols), float("nan"), device="cuda", dtype=dtype)


def tolerance(dtype):
    return {torch.float16: 1e-3, torch.bfloat16: 8e-3, torch.float32: 1e-4}[dtype]


def check(name, call):
    """One row; an exception is a failure, and the rest goes on."""
    try:
        good, text = call()
    except Exception as e:
        good, text = False, f"{type(e).__name__}: {str(e).splitlines()[0][:150]}"
    row(name, good, text)


# ---- Building ---------------------------------------------------------------------------------


def build(folder, *settings):
    begin = time.perf_counter()
    done = subprocess.run([BIN / "sluice", "build", "gemm", "--set", "M=4096", *settings, "-o",
                           folder], env=_environment(), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return 1e3 * (time.perf_counter() - begin)


def building(folder):
    cold = build(folder)
    cached = min(build(folder) for _ in range(5))
    return cold <= 2000, f"{cold:.0f} ms cold, {cached:.0f} ms with the cubin from the cache"


def loading(folder):
    """From the source to a running kernel: the manifest without its cubin, which NVRTC replaces."""
    build(folder)
    (Path(folder) / "gemm.cubin").unlink()
    os.environ["SLUICE_CACHE_DIR"] = f"{folder}/cache"
    a, c, times = matrix(128, 128, torch.float16), poisoned(128, 128, torch.float16), []
    for _ in range(5):
        begin = time.perf_counter()
        sluice.load(f"{folder}/gemm.json")(a, a, out=c)
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begin))
    cold, cached = times[0], sorted(times[1:])[1]
    text = f"{cold:.0f} ms by NVRTC, {cached:.2f} ms from the cache (aims: 600, 5)"
    return cold <= 600 and cached <= 5 and error_of(c, a, a) <= 1e-3, text


# ---- Results ----------------------------------------------------------------------------------


def one_cubin_many_shapes(kernel):
    worst = 0
    for m, n, k in ((4096, 4096, 4096), (128, 128, 64), (1, 8, 8), (1000, 776, 1024),
                    (333, 264, 200), (64, 8192, 512), (256, 256, 0)):
        a, b = matrix(m, k, torch.float16), matrix(k, n, torch.float16)
        c = poisoned(m, n, torch.float16)
        kernel(a, b, out=c)
        worst = max(worst, error_of(c, a, b))
    made = kernel(a[:, :8], b[:8])
    return worst <= 1e-3 and made.shape == (256, 256), f"error {worst:.2g}"


def views(kernel):
    wide, tall = matrix(600, 512, torch.float16), matrix(512, 640, torch.float16)
    a, b = wide[10:310, 64:256], tall[64:256, 128:640]
    out = poisoned(300, 1024, torch.float16)
    kernel(a, b, out=out[:, 256:768])
    rest = torch.isnan(out[:, :256]).all() and torch.isnan(out[:, 768:]).all()
    worst = error_of(out[:, 256:768], a, b)
    return worst <= 1e-3 and bool(rest), f"error {worst:.2g}, nothing written beside: {bool(rest)}"


def gemm_configurations():
    worst, count = {}, 0
    for dtype in (torch.float16, torch.bfloat16):
        for a_cols in (False, True):
            for b_cols in (False, True):
                for m, n, k in ((512, 384, 320), (129, 127, 65)):
                    for out_dtype in (dtype, torch.float32):
                        a, b = matrix(m, k, dtype, a_cols), matrix(k, n, dtype, b_cols)
                        c = sluice.gemm(a, b, out_dtype=out_dtype)
                        part = error_of(c, a, b) / tolerance(out_dtype)
                        worst[str(out_dtype)] = max(worst.get(str(out_dtype), 0), part)
                        count += 1
    text = ", ".join(f"{name[6:]} {part:.2f}" for name, part in worst.items())
    return max(worst.values()) <= 1, f"{count} products, error as part of the tolerance: {text}"


def gemm_types():
    """Operands that are not of 16 bits; the errors that docs/language.md promises, int8's exact."""
    worst, count = {}, 0
    allowed = {torch.float32: 2e-3, torch.float8_e4m3fn: 2 ** -13 * 41, torch.int8: 0,
               torch.float8_e5m2: 2 ** -13 * 41}
    for dtype, most in allowed.items():
        for m, n, k in ((512, 384, 1280), (129, 127, 65), (1, 40, 16)):
            for out_dtype in (None, torch.float16):
                a = (matrix(m, k, torch.float32) * (8 if dtype is torch.int8 else 1)).to(dtype)
                b = (matrix(n, k, torch.float32) * (8 if dtype is torch.int8 else 1)).to(dtype).t()
                c = sluice.gemm(a, b, out_dtype=out_dtype)
                rounding = 0 if c.dtype is torch.int32 else tolerance(c.dtype)
                error = error_of(c, a, b)
                good = error <= most + rounding
                worst[str(dtype)] = max(worst.get(str(dtype), 0), error if good else float("inf"))
                count += 1
    text = ", ".join(f"{name[6:]} {error:.2g}" for name, error in worst.items())
    return max(worst.values()) < float("inf"), f"{count} products, largest errors: {text}"


def tf32_is_cut():
    """By the unit matrix: the operand without its low 13 bits, also where threads copy."""
    texts, good = [], True
    for k in (256, 255):
        a, one = torch.randn(300, k, device="cuda"), torch.eye(k, device="cuda")
        c = sluice.gemm(a, one.t())
        cut = (a.view(torch.int32) & ~0x1FFF).view(torch.float32)
        good = good and torch.equal(c, cut)
        texts.append(f"K={k}: {(c == cut).double().mean():.1%} as cut, "
                     f"{(c == a).double().mean():.1%} as they were")
    return good, "; ".join(texts)


def narrow_sums():
    """What Hopper's sums of 8-bit floats lose at K = 4096; within the tolerance around zero."""
    errors = []
    for sign in (False, True):
        a, b = matrix(512, 4096, torch.float32), matrix(512, 4096, torch.float32)
        a, b = (x.abs() if sign else x for x in (a, b))
        a, b = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn).t()
        errors.append(error_of(sluice.gemm(a, b, out_dtype=torch.float32), a, b))
    return errors[0] <= 129 * 2 ** -13, (f"error {errors[0]:.2g} around zero, {errors[1]:.2g} of "
                                         "one sign")


def gemm_settings():
    a, b = matrix(2048, 1024, torch.bfloat16), matrix(1024, 1536, torch.bfloat16)
    bias = torch.randn(1536, device="cuda").bfloat16()
    worst = 0
    for activation in (None, "relu", "gelu"):
        c = sluice.gemm(a, b, bias, activation=activation)
        worst = max(worst, error_of(c, a, b, bias, activation))
    c = sluice.gemm(a, b, mode="persistent", cluster="2x1", bn=256)
    worst = max(worst, error_of(c, a, b))
    return worst <= 8e-3, f"error {worst:.2g}"


# ---- Streams, graphs, threads, devices -----------------------------------------------------------


def side_stream(kernel):
    a, b = matrix(1024, 4096, torch.float16), matrix(4096, 1024, torch.float16)
    c, stream = poisoned(1024, 1024, torch.float16), torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        begin = time.perf_counter()
        kernel(a, b, out=c)
        host = 1e6 * (time.perf_counter() - begin)
        done = stream.query()
    stream.synchronize()
    worst = error_of(c, a, b)
    return worst <= 1e-3 and not done, f"error {worst:.2g}, back after {host:.0f} us, not waiting"


def graph(kernel):
    a, b = matrix(512, 512, torch.float16), matrix(512, 512, torch.float16)
    c = poisoned(512, 512, torch.float16)
    kernel.prepare(0)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        for _ in range(3):
            kernel(a, b, out=c)
    worst = 0
    for _ in range(3):
        a.normal_(), b.normal_(), c.fill_(float("nan"))
        captured.replay()
        torch.cuda.synchronize()
        worst = max(worst, error_of(c, a, b))
    return worst <= 1e-3, f"error {worst:.2g} over 3 replays"


def threads(kernel):
    results = []

    def work(rows):
        with torch.cuda.stream(torch.cuda.Stream()):
            a, b = matrix(rows, 256, torch.float16), matrix(256, 512, torch.float16)
            for _ in range(50):
                c = kernel(a, b)
            torch.cuda.current_stream().synchronize()
            results.append(error_of(c, a, b))

    all_threads = [threading.Thread(target=work, args=(100 * i + 100,)) for i in range(6)]
    [t.start() for t in all_threads], [t.join() for t in all_threads]
    return len(results) == 6 and max(results) <= 1e-3, f"error {max(results, default=-1):.2g}"


def devices(kernel):
    worst, count = 0, torch.cuda.device_count()
    for device in range(count):
        a = matrix(256, 256, torch.float16, device=f"cuda:{device}")
        worst = max(worst, error_of(kernel(a, a), a, a))
    return worst <= 1e-3, f"{count} device(s), error {worst:.2g}"


def operator(kernel):
    op = sluice.custom_op("sluice_bench::product", kernel)
    a, b = matrix(256, 128, torch.float16), matrix(128, 512, torch.float16)
    torch.library.opcheck(op, (a, b), test_utils=("test_schema", "test_faketensor"))
    compiled = torch.compile(lambda x, y: torch.ops.sluice_bench.product(x, y).relu(),
                             fullgraph=True, backend="aot_eager")
    c = compiled(a, b)
    worst = error_of(c, a, b, torch.zeros(512, device="cuda"), "relu")
    return worst <= 1e-3, f"error {worst:.2g}; schema, fake kernel and torch.compile accept it"


def refusals(kernel):
    a, b = matrix(256, 128, torch.float16), matrix(128, 512, torch.float16)
    wanted = (((a.float(), b), "its elements are f16, not torch.float32"),
              ((a.cpu(), b), "it is not on a CUDA device"),
              ((a[:, :126], b[:126]), None), ((a[:, 1:121], b[:120]), "no multiple of 16 bytes"),
              ((a, b[:64]), "dimension 0 is K = 64"))
    wrong = []
    for inputs, part in wanted:
        try:
            kernel(*inputs)
            said = None
        except sluice.SluiceError as e:
            said = str(e)
        if (said is None) != (part is None) or (part and part not in said):
            wrong.append(f"{part!r} but {said!r}")
    return not wrong, "; ".join(wrong) or "each names kernel and tensor"


# ---- What a call costs -----------------------------------------------------------------------


def microseconds(call):
    """Median over rounds of the mean of 200 calls; what they started is waited for afterwards."""
    for _ in range(200):
        call()
    torch.cuda.synchronize()
    means = []
    for _ in range(30):
        begin = time.perf_counter()
        for _ in range(200):
            call()
        means.append(1e6 * (time.perf_counter() - begin) / 200)
        torch.cuda.synchronize()
    return sorted(means)[15]


def costs(kernel):
    a, b = matrix(128, 64, torch.float16), matrix(64, 128, torch.float16)
    c, nothing = torch.empty(128, 128, device="cuda").half(), torch.empty(0, device="cuda")
    op = getattr(torch.ops.sluice_bench, "product", None)  # where that check went well
    empty = microseconds(lambda: torch.neg(nothing, out=nothing))
    call = microseconds(lambda: kernel(a, b, out=c))
    for name, us in (("torch.neg of nothing, out=", empty),
                     ("torch.neg of 128 x 128, out=", microseconds(lambda: torch.neg(c, out=c))),
                     ("torch.mm, out=", microseconds(lambda: torch.mm(a, b, out=c))),
                     ("kernel(a, b, out=c)", call),
                     ("kernel(a, b)", microseconds(lambda: kernel(a, b))),
                     ("sluice.gemm(a, b, out=c)", microseconds(lambda: sluice.gemm(a, b, out=c))),
                     ("torch.ops.sluice_bench.product(a, b)",
                      microseconds(lambda: op(a, b)) if op else float("nan"))):
        print(f"       {name:40} {us:6.2f} us", flush=True)
    return call - empty <= 6, f"{call - empty:.2f} us over an empty operator of PyTorch (aim: 6)"


def launch_overhead(folder):
    done = subprocess.run([BIN / "launch-overhead", f"{folder}/gemm.json"], capture_output=True,
                          text=True)
    print("".join(f"       {line}\n" for line in (done.stdout + done.stderr).splitlines()), end="")
    return done.returncode == 0, f"exit {done.returncode}"


def main():
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    torch.manual_seed(int.from_bytes(os.urandom(4), "little"))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SLUICE_CACHE_DIR"] = f"{folder}/cache"
        check("sluice build gemm", lambda: building(f"{folder}/gemm"))
        kernel = sluice.load(f"{folder}/gemm/gemm.json")
        for name, part in (("one cubin, many shapes", one_cubin_many_shapes), ("views", views),
                           ("another stream", side_stream), ("CUDA graph", graph),
                           ("threads", threads), ("devices", devices), ("torch.library", operator),
                           ("refusals", refusals)):
            check(name, lambda: part(kernel))
        check("sluice.gemm: types, layouts, alignments", gemm_configurations)
        check("sluice.gemm: float32, float8, int8", gemm_types)
        check("sluice.gemm: float32 is cut to tf32", tf32_is_cut)
        check("sluice.gemm: sums of float8", narrow_sums)
        check("sluice.gemm: epilogues and settings", gemm_settings)
        check("to a running kernel", lambda: loading(f"{folder}/copy"))
        check("launch in C", lambda: launch_overhead(f"{folder}/gemm"))
        check("call in Python", lambda: costs(kernel))
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
