"""Workspaces of counters: zeros once for each stream; those of launches that a graph captures are
zero already, or are set to zero in each replay."""

import sys
from collections import Counter
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
print("zeros on", dict(Counter(torch.zeroed)), "waited for", torch.waited)
torch.cuda.capturing = True
kernel(a, b, out=c)
kernel(a, b, out=c)
print("zeros by graphs", len(torch.zeroed) - 51)
for _ in range(50):
    kernel(a, b, out=c)
print("zeros by graphs", len(torch.zeroed) - 51)
torch.cuda.capturing = False
kernel(a, b, out=c)
print("zeros on", dict(Counter(torch.zeroed)), "waited for", torch.waited)
