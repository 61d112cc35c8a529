"""Workspaces of counters: zeros once for each stream, and anew in each replay of a graph."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import launches

import torch
import sluice
from torch import Tensor

kernel = sluice.load(sys.argv[1])
a, b, c = Tensor((512, 512)), Tensor((512, 512)), Tensor((512, 512))
for stream in (None, None, 7, 11, 0, 11):
    kernel(a, b, out=c, stream=stream)
    print(stream, "launched on", launches.stream)
print("zeros on", torch.zeroed)
torch.cuda.capturing = True
kernel(a, b, out=c)
kernel(a, b, out=c)
torch.cuda.capturing = False
kernel(a, b, out=c)
print("zeros on", torch.zeroed)
