"""sluice.gemm(): which kernel it builds for which operands, and how often."""

import os
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice
from sluice._gemm import kernel_for
from torch import Tensor

cache = Path(os.environ["SLUICE_CACHE_DIR"])


def built():
    return len(list((cache / "kernels").glob("*")))


def forget():
    for known in (sluice._gemm._kernels, sluice._gemm._recent):
        known.clear()


def aligns(kernel):
    return " ".join(f"{t['name']} {t['contiguous']} {t['align']}"
                    for t in kernel.manifest["tensors"])


a, b = Tensor((300, 192)), Tensor((192, 512))
c = sluice.gemm(a, b)
assert c.shape == (300, 512) and launches.count == 1 and built() == 1
assert sluice.gemm(a, b, out=c) is c and built() == 1

# One kernel for extents of the same plan; another for other plans, types, layouts, alignments.
sluice.gemm(Tensor((304, 200)), Tensor((200, 504)))
assert built() == 1, built()
sluice.gemm(Tensor((4096, 512)), Tensor((512, 4096)))
assert built() == 2, built()


def text(settings):
    """What the program prints of a kernel, without the comments, which name its extents."""
    words = [sluice._library.program(), "emit", "gemm", "--set",
             *(f"{k}={v}" for k, v in settings.items())]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [line for line in printed.splitlines() if not line.startswith("//")]


def as_planned(m, n, k, settings):
    """Whether the kernel of the class is that of the plan for these extents."""
    extents = {"M": m, "N": n, "K": k}
    units = {s: 16 if e % 8 == 0 else e & -e for s, e in extents.items()}
    wanted = {"dtype": "f16", **settings}
    batch = {"batch": settings["batch"]} if "batch" in settings else {}
    found = sluice._gemm._planned({n: v for n, v in wanted.items() if n != "batch"},
                                  {**extents, **batch}, units)
    return text(found) == text({**wanted, **extents, "plan": "yes"})


draw = random.Random(4)
for settings in ({}, {}, {}, {"residual": "yes"}, {"residual": "yes"}, {"b": "col"}, {"batch": 3}):
    m, n = (int(2 ** draw.uniform(3, 13)) // draw.choice([2, 8, 8]) * 8 for _ in "MN")
    k = draw.choice([64, 120, 256, 1000, 1024, 4096])
    assert as_planned(m, n, k, settings), (m, n, k, settings)
assert as_planned(1000, 510, 192, {}) and as_planned(1000, 512, 191, {})
print("b by columns:", aligns(kernel_for(a, Tensor((512, 192)).t())))
print("odd K:", aligns(kernel_for(Tensor((300, 191)), Tensor((191, 512)))))
print("odd N:", aligns(kernel_for(a, Tensor((192, 510)))))
print("rows of a wider matrix:", aligns(kernel_for(Tensor((300, 192), strides=(196, 1)), b)))
print("at an odd address:", aligns(kernel_for(Tensor((300, 192), address=0x100002), b)))
print("out f32:", kernel_for(a, b, out_dtype=torch.float32).manifest["tensors"][2]["type"])
k = kernel_for(a, b, Tensor((512,)), activation="gelu", mode="persistent", cluster="2x1")
print("bias:", aligns(k), k.manifest["cluster"])
d = sluice.gemm(a, b, Tensor((512,)), activation="gelu", mode="persistent", cluster="2x1")
assert d.shape == (300, 512)
# Every part of an epilogue, and numbers that a launch gives.
row, col = Tensor((300,), torch.float32), Tensor((512,), torch.float32)
parts = dict(residual=c, alpha=0.5, beta=2.0, row_scale=row, col_scale=col, stages=3)
k = kernel_for(a, b, Tensor((512,)), activation="relu", **parts)
print("all parts:", aligns(k), [x["name"] for x in k.manifest["arguments"]])
before = built()
assert sluice.gemm(a, b, Tensor((512,)), activation="relu", **parts).shape == (300, 512)
sluice.gemm(a, b, Tensor((512,)), activation="relu", **{**parts, "alpha": 0.25})
assert built() == before
print("relu alone:", aligns(kernel_for(a, b, activation="relu")))

# C in the place of the residual, or of columns beside it; not of a part of it, nor of an operand.
wide = Tensor((300, 1024))
left, right, middle = (Tensor((300, 512), strides=(1024, 1), address=wide.data_ptr() + 2 * column)
                       for column in (0, 512, 256))
square, batch = Tensor((192, 192)), Tensor((5, 300, 512))
assert sluice.gemm(a, b, residual=c, beta=2.0, out=c) is c
assert sluice.gemm(a, b, residual=left, out=left) is left
assert kernel_for(a, b, residual=c, out=c).manifest["tensors"][3]["in_place"] == "R"
assert "in_place" not in kernel_for(a, b, residual=c, out=left).manifest["tensors"][3]
assert sluice.gemm(a, b, residual=left, out=right) is right
assert sluice.gemm(Tensor((5, 300, 192)), Tensor((5, 192, 512)), residual=batch, out=batch) is batch
assert sluice.gemm(square, square, residual=square).shape == (192, 192)
print(error(sluice.gemm, a, b, residual=left, out=middle))
print(error(sluice.gemm, square, square, out=square))

# Batches: side by side, or all rows of A times one B.
a3, b3 = Tensor((5, 300, 192)), Tensor((5, 192, 512))
print("batch:", aligns(kernel_for(a3, b3)), kernel_for(a3, b3).manifest["tensors"][2]["extents"])
assert sluice.gemm(a3, b3).shape == (5, 300, 512)
assert sluice.gemm(Tensor((7, 300, 192)), Tensor((7, 192, 512))).shape == (7, 300, 512)
print("odd batch stride:", aligns(kernel_for(Tensor((5, 300, 192), strides=(57601, 192, 1)), b3)))
assert sluice.gemm(a3, b, residual=Tensor((5, 300, 512))).shape == (5, 300, 512)
odd = sluice.gemm(Tensor((33, 191)), Tensor((191, 77)))
assert odd.shape == (33, 77)

# Types whose B is by columns; their results; rows that TMA takes, and not.
for dtype, odd in ((torch.float32, 194), (torch.float8_e4m3fn, 200), (torch.int8, 200)):
    for depth in (192, odd):
        x, w = Tensor((300, depth), dtype), Tensor((512, depth), dtype)
        print(dtype, aligns(kernel_for(x, w.t())), sluice.gemm(x, w.t()).dtype)
x, w = Tensor((300, 192), torch.float8_e5m2), Tensor((512, 192), torch.float8_e4m3fn)
mixed = kernel_for(x, w.t())
print("mixed:", [t["type"] for t in mixed.manifest["tensors"]], sluice.gemm(x, w.t()).dtype)
x, w = Tensor((300, 192), torch.int8), Tensor((512, 192), torch.int8)
print("s8 as f16:", sluice.gemm(x, w.t(), Tensor((512,)), out_dtype=torch.float16).dtype)
print("N of 1:", aligns(kernel_for(x, Tensor((192, 1), torch.int8))))
print("wide f32 C:", aligns(kernel_for(a, b, out=Tensor((300, 512), torch.float32))))
print(error(sluice.gemm, x, Tensor((192, 512), torch.int8)))
print(error(sluice.gemm, Tensor((192, 300), torch.int8).t(), w.t()))
print(error(sluice.gemm, x, w.t(), out_dtype=torch.int8))

print(error(sluice.gemm, a, Tensor((64, 512))))
print(error(sluice.gemm, a, Tensor((192, 512), torch.bfloat16)))
print(error(sluice.gemm, a, b, Tensor((7,))))
print(error(sluice.gemm, a3, Tensor((4, 192, 512))))
print(error(sluice.gemm, a, b, beta=2.0))
print(error(sluice.gemm, a, b, residual=Tensor((300, 256))))
print(error(sluice.gemm, a, b, row_scale=col))
print(error(sluice.gemm, a, b, row_scale=Tensor((300,))))
print(error(sluice.gemm, Tensor((5, 300, 192), strides=(60000, 192, 1)), b))
print(error(sluice.gemm, a, b, Tensor((512,)), activation="tanh"))
print(error(sluice.gemm, Tensor((300, 192), strides=(400, 2)), b))
print(error(sluice.gemm, a, b, stage=3))
print(error(sluice.gemm, a, b, stages=3, out=Tensor((300, 256))))
print(error(sluice.gemm, 1, b))
print(error(sluice.gemm, a, [2.0]))
print(error(sluice.gemm, a, b, memoryview(bytes(512))))

# A cache that cannot be: built all the same, in a folder of its own.
before = launches.count
forget()
os.environ["SLUICE_CACHE_DIR"] = "/dev/null/cache"
sluice.gemm(a, b)
os.environ["SLUICE_CACHE_DIR"] = ""
forget()
sluice.gemm(a, b)
assert launches.count == before + 2
