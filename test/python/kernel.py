"""sluice.load(): what a call passes to the driver, and what it refuses."""

import ctypes
import os
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice
from sluice import _view
from torch import Tensor

kernel = sluice.load(sys.argv[1])
a, b = Tensor((300, 192)), Tensor((192, 512))
c = kernel(a, b)
assert c.shape == (300, 512) and c.dtype is torch.float16, c
assert launches.count == 1 and launches.grid == (3, 4, 1), launches.grid
assert launches.stream == 7 and launches.device == 0
if os.environ.get("FAKE_EXCHANGE"):  # then C reads the tensors, and so it does below
    import exchange
    assert exchange.reads == [a, b, c], exchange.reads

# Outputs of the caller; maps of the same tensors are made once.
maps = launches.maps
assert kernel(a, b, out=c) is None
assert kernel(a, b, out=(c,)) is None
assert launches.count == 3 and launches.maps == maps

# The stream is that of the tensors' device, or the one that is named.
other = [Tensor(t.shape, device=1) for t in (a, b, c)]
kernel(*other[:2], out=other[2])
assert launches.stream == 9 and launches.device == 1
kernel(a, b, out=c, stream=1234)
assert launches.stream == 1234 and launches.device == 0
kernel.prepare(1)
assert launches.modules == 2

# Threads have arguments of their own.
failures = []


def work(rows):
    x, y = Tensor((rows, 64)), Tensor((64, 128))
    for _ in range(200):
        if kernel(x, y).shape != (rows, 128):
            failures.append(rows)


threads = [threading.Thread(target=work, args=(8 * i + 8,)) for i in range(4)]
[t.start() for t in threads], [t.join() for t in threads]
assert not failures and launches.count == 5 + 800


class Foreign:
    """A tensor of another library, as DLPack hands it over."""

    def __init__(self, shape, device=2, code=2, byte_offset=0):
        self.shape, self._extents = shape, (ctypes.c_int64 * len(shape))(*shape)
        self._tensor = _view._Tensor(next(torch._addresses), device, 1, len(shape), code, 16, 1,
                                     self._extents, None, byte_offset)

    def __dlpack_device__(self):
        return (self._tensor.device_type, 1)

    def __dlpack__(self, stream=None):
        self.stream = stream
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                       ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)


# DLPack: strides may be absent, the address has an offset; a launch may mix libraries.
count = launches.count
x = Foreign((300, 192), byte_offset=32)
kernel(x, Foreign((192, 512)), out=Foreign((300, 512)))
assert launches.count == count + 1 and launches.device == 1 and x.stream == 1
kernel(x, Tensor((192, 512), device=1), out=Tensor((300, 512), device=1), stream=5)
assert launches.count == count + 2 and launches.stream == 5 and x.stream == 5

print(kernel)
print(error(kernel, a, Tensor((192, 512), torch.bfloat16), out=c))
print(error(kernel, a, Tensor((192, 512), device=1), out=c))
print(error(kernel, Tensor((300, 192), device=-1), b, out=c))
print(error(kernel, a, Tensor((64, 512)), out=c))
print(error(kernel, a, Tensor((512,)), out=c))
print(error(kernel, a, out=c))
print(error(kernel, a, b, b, out=c))
print(error(kernel, a, b, out=c, arguments=(1,)))
print(error(kernel, a, "text", out=c))
print(error(kernel, a, Foreign((192, 512), device=1), out=c))
print(error(kernel, x, Foreign((192, 512), code=0), out=Foreign((300, 512))))
print(error(kernel, x, Foreign((192, 512), byte_offset=2), out=Foreign((300, 512))))
print(error(kernel, x, x))
print(error(kernel, x))
print(error(sluice.load, sys.argv[1].replace(".json", ".cu")))
