"""sluice.load() of a kernel with assumptions: what breaks them is refused before a launch."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice
from torch import Tensor

kernel = sluice.load(sys.argv[1])
print(kernel.manifest["assumptions"][0]["text"])
x, y = Tensor((128, 64), torch.float32), Tensor((128, 64), torch.float32)
kernel(x, out=y, arguments=(32,))
assert launches.count == 1
print(error(kernel, x, out=y, arguments=(48,)))
print(error(kernel, Tensor((96, 64), torch.float32), out=y, arguments=(32,)))
assert launches.count == 1
for _ in range(2):  # what was refused once is not taken for what is set
    print(error(kernel, x, out=y, arguments=(2**64 + 32,)))
assert launches.count == 1
