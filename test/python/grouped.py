"""sluice.load() of a kernel that reads numbers of a tensor: what a call passes to the driver."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice
from torch import Tensor

kernel = sluice.load(sys.argv[1])
a, b = Tensor((300, 192)), Tensor((5, 192, 512))
offsets = Tensor((6,), torch.int32)
c = kernel(a, b, offsets)
assert c.shape == (300, 512) and c.dtype is torch.float16, c
assert launches.count == 1 and launches.grid == (132, 1, 1), launches.grid
print(error(kernel, a, b, Tensor((6,), torch.float32)))
print(error(kernel, a, Tensor((5, 64, 512)), offsets))
print(error(kernel, a, b, Tensor((5,), torch.int32)))
assert launches.count == 1
