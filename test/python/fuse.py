"""sluice.fuse: what it takes, what it refuses and how, which kernel serves which tensors."""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice
from torch import Tensor


def refused(function, *shapes, **named):
    """The words, the author's line as its distance from the function's first."""
    words = error(sluice.fuse(function).program, *(shapes or ((3, 64),)), **named)
    first = function.__code__.co_firstlineno
    print(re.sub(r"^.*fuse\.py:(\d+): ", lambda m: f"line {int(m[1]) - first}: ", words))


def branch(x):
    y = x * 2.0
    return y if y.sum(-1) > 0 else x


def in_place(x):
    x += 1
    return x


def outside(x):
    return x + Tensor((3, 64))


# ---- What is refused, by its name and the author's line -----------------------------------------
refused(lambda x: x.cumsum(-1))
refused(lambda x: sluice.exp(x) @ x)
refused(branch)
refused(in_place)
refused(outside)
refused(lambda x: sluice.sum(x, 0))
refused(lambda x: x.sum())
refused(lambda x: x - x.mean(-1))
refused(lambda x: x[0])
refused(lambda x: x ** 1.7)
refused(lambda x: x.to("int32"))
refused(lambda x: x.max(-1).indices)
refused(lambda x: sluice.where(x, x, x))
refused(lambda x: (x > 0) + x)
refused(lambda x: float(x))
refused(lambda x: [v for v in x])
refused(lambda x: x % 2)
refused(lambda x: x.softmax(-1, axis=0))
refused(lambda x: sluice.layer_norm(x, (3, 64)))
refused(lambda x: x.amax(-1, keepdim=True).amax(-1))
refused(lambda x, w: x * w.sum(-1, keepdim=True), (3, 64), (64,))
refused(lambda x: x > 0)
refused(lambda x: None)
refused(lambda x, w: w * 2, (3, 64), (64,))
refused(lambda x, scale: scale, (3, 64), scale=2.0)
refused(lambda x, y: x + y, (3, 64), (3, 65))
refused(lambda x, y: x + y, (2, 3, 64), (2, 1, 64))
refused(lambda x, y: x + y, (2, 64), (1,))
refused(lambda x, y: x + y, (3, 1), (1, 64))
refused(lambda x: x, dtype="int8")
refused(lambda x: x, 3.0)
print(error(sluice.exp, 1.0))
print(error(sluice.fuse, lambda *x: x))
print(error(sluice.fuse(lambda x: x).program))


# ---- Classes of shapes --------------------------------------------------------------------------
@sluice.fuse
def norm(x, residual, w, eps=1e-6):
    total = x + residual
    return total * sluice.rsqrt(sluice.mean(total * total, -1, keepdim=True) + eps) * w, total


# Few rows, in ways of their own; many, of which CTAs take shares unless they pass over them twice.
for rows, columns in ((33, 1000), (33, 4096), (300, 4096), (4096, 5000), (8, 5000), (8, 30001),
                      (9, 65536), (65536, 1000), (16384, 4096), (16384, 5000)):
    shapes = (rows, columns), (rows, columns), (columns,)
    print(f"{rows} x {columns}:", norm.plan(*shapes))
print(sluice.fuse(lambda x, z: sluice.silu(x) * z).plan((16384, 4096), (16384, 4096)))
# Beside weight and bias a thread has no registers for rows of eight warps.
print(sluice.fuse(lambda x, w, b: sluice.layer_norm(x, None, w, b)).plan(
    (65536, 2048), (2048,), (2048,)))
same = norm.program((33, 1000), (33, 1000), (1000,))
assert same == norm.program((17, 904), (17, 904), (904,)), "one text for a class"
assert same != norm.program((33, 1024), (33, 1024), (1024,)), "no columns beyond the tensor's"
assert same != norm.program((33, 1001), (33, 1001), (1001,)), "another alignment"
assert same != norm.program((33, 1000), (33, 1000), (1000,), dtype="f16")
assert same == norm.program((3, 11, 1000), (3, 11, 1000), (1000,))
short = norm.program((33, 5000), (33, 5000), (5000,))
assert "sluice.joined_extent = 5000" in short and "<?x8x632xbf16, align 16>" in short
assert short != norm.program((33, 5008), (33, 5008), (5008,)), "its columns are part of the text"
many = norm.program((70000, 1000), (70000, 1000), (1000,))
assert many != same, "CTAs of few blocks"
assert many == norm.program((80001, 1000), (80001, 1000), (1000,)), "not for each number of rows"

# ---- Launches -----------------------------------------------------------------------------------
cache = Path(os.environ["SLUICE_CACHE_DIR"]) / "kernels"


def built():
    return len(list(cache.glob("*")))


def tensors(rows, columns, dtype=torch.bfloat16):
    return Tensor((rows, columns), dtype), Tensor((rows, columns), dtype), Tensor((columns,), dtype)


y, total = norm(*tensors(33, 1000))
assert y.shape == total.shape == (33, 1000) and y.dtype is torch.bfloat16
assert launches.count == 1 and built() == 1 and launches.grid == (5, 1, 1), launches.grid
norm(*tensors(33, 1000), 1e-5)  # the same kernel, another number
norm(*tensors(100, 904))
assert built() == 1 and launches.count == 3 and launches.grid == (13, 1, 1)
out = Tensor((33, 1000), torch.bfloat16), Tensor((33, 1000), torch.bfloat16)
assert norm(*tensors(33, 1000), out=out) is out and built() == 1
norm(*tensors(33, 1001))
norm(*tensors(33, 1000, torch.float32))
assert built() == 3
narrow = tuple(Tensor((33, 1000), torch.bfloat16, strides=(1004, 1)) for _ in "xz")
aligns = [t["align"] for t in norm.kernel_for(*narrow, tensors(1, 1000)[2]).manifest["tensors"]]
assert aligns == [8, 8, 16, 16, 16], aligns
assert norm(*tensors(0, 1000))[0].shape == (0, 1000) and built() == 4
# Where rows are nothing to a function, and begin anywhere or are no whole pieces, each tensor is
# one line of numbers: what the elements are rows of is no matter.
product = sluice.fuse(lambda x, z: x * z)
odd = [Tensor((512, 33), torch.bfloat16) for _ in "xz"]
line = product.kernel_for(*odd)
assert [(t["align"], t.get("line")) for t in line.manifest["tensors"]] == [(16, True)] * 3
assert product(*odd).shape == (512, 33) and launches.grid == (3, 1, 1), launches.grid
other = [Tensor((5, 7, 1000), torch.bfloat16) for _ in "xz"]
assert product.kernel_for(*other) is line and product(*other).shape == (5, 7, 1000)
assert line(*odd).shape == (512, 33) and launches.grid == (3, 1, 1), launches.grid
whole = [Tensor((512, 1024), torch.bfloat16) for _ in "xz"]
assert not any(t.get("line") for t in product.kernel_for(*whole).manifest["tensors"])
begins = Tensor((512, 33), torch.bfloat16, address=0x10002)
assert [t["align"] for t in product.kernel_for(odd[0], begins).manifest["tensors"]] == [2, 2, 2]
loose = Tensor((512, 33), torch.bfloat16, strides=(34, 1))
assert [t["align"] for t in product.kernel_for(odd[0], loose).manifest["tensors"]] == [2, 4, 2]
print(error(line, odd[0], loose))
print(norm.kernel_for(*tensors(33, 1000)), [a["name"] for a in norm.kernel_for(
    *tensors(33, 1000)).manifest["arguments"]])
print(error(norm, *tensors(33, 1000), out=(out[0],)))
print(error(norm, *tensors(33, 1000), out=(out[0], Tensor((33, 1000), torch.float16))))
print(error(norm, Tensor((33, 1000), torch.bfloat16, strides=(2000, 2)), *tensors(33, 1000)[1:]))
print(error(norm, *tensors(33, 1000), None))
print(error(norm, tensors(33, 1000)[0]))
print(error(sluice.fuse(lambda x: x), torch.bfloat16))
needs = Tensor((33, 1000), torch.bfloat16)
needs.requires_grad = True
torch.is_grad_enabled = lambda: True
print(error(norm, needs, *tensors(33, 1000)[1:]))
