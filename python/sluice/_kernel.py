"""A kernel from its manifest. What a call costs is Python's share of a launch, so the way through
Kernel.__call__ is short: read pointers, extents and strides, pack them, call the library once."""

import ctypes
import json
import struct
import sys
import threading
from pathlib import Path

from ._library import TYPES, SluiceError, check, library
from ._view import view

_TORCH_NAMES = {"s8": "int8", "i32": "int32", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2",
                "f16": "float16", "bf16": "bfloat16", "tf32": "float32", "f32": "float32"}


def torch_dtype(name):
    import torch
    return getattr(torch, _TORCH_NAMES[name])


def _current_stream(torch):
    """A function from a device to the handle of PyTorch's current stream there."""
    fast = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return fast or (lambda device: torch.cuda.current_stream(device).cuda_stream)


class _Arguments(threading.local):
    """sluice_tensor[] and the extents and strides that it points to, one for each thread: a launch
    packs all of it at once."""

    def __init__(self, ranks, types):
        count = len(ranks)
        self.pack = struct.Struct(f"{4 * count + 2 * sum(ranks)}q").pack_into
        self.buffer = bytearray(8 * (4 * count + 2 * sum(ranks)) or 8)
        self._held = (ctypes.c_char * len(self.buffer)).from_buffer(self.buffer)
        self.address = ctypes.addressof(self._held)
        self.fixed = []  # per tensor: where its extents and its strides are, its rank and type
        at = self.address + 32 * count
        for rank, kind in zip(ranks, types):
            self.fixed.append((at, at + 8 * rank, rank | kind << 32))
            at += 16 * rank


class Kernel:
    """A kernel on the devices that ask for it; call it with its inputs in the manifest's order.

    `out`: the outputs, one tensor or a tuple of them; without it they are made, where the manifest
    names their extents. The launch goes to PyTorch's current stream of the tensors' device
    (`stream`: another, as a number) and nothing waits for it. `arguments`: the kernel's integers.
    """

    def __init__(self, path):
        self._library = library()
        handle = ctypes.c_void_p()
        check(self._library.sluice_load(str(path).encode(), ctypes.byref(handle)))
        self._handle = handle
        self.manifest = json.loads(Path(path).read_text())
        self._launch = self._library.sluice_launch
        self._tensors = self.manifest["tensors"]
        self._dtypes = [(t["type"],) for t in self._tensors]  # names and PyTorch's types
        self._stream = lambda device: 0
        self._knows_torch = False
        self._meet_torch()
        self._order()
        self._local = _Arguments([len(t["extents"]) for t in self._tensors],
                                 [TYPES[t["type"]] for t in self._tensors])
        self._workspaces = {}

    def _meet_torch(self):
        """Whether PyTorch has been imported since we last looked."""
        torch = sys.modules.get("torch")
        if torch is None or self._knows_torch:
            return False
        self._dtypes = [(t["type"], torch_dtype(t["type"])) for t in self._tensors]
        self._stream = _current_stream(torch)
        self._knows_torch = True
        return True

    def _order(self):
        """Positions of inputs, outputs and workspaces; whether inputs and then outputs are all."""
        tensors = self._tensors
        self._inputs = [i for i, t in enumerate(tensors) if t["input"]]
        self._outputs = [i for i, t in enumerate(tensors) if t["output"] and not t["input"]]
        self._other = [i for i, t in enumerate(tensors) if not t["output"] and not t["input"]]
        self._plain = self._inputs + self._outputs == list(range(len(tensors)))

    @property
    def name(self):
        return self.manifest["kernel"]

    def __repr__(self):
        return f"<sluice.Kernel {self.name}, {self.manifest['proof']['verdict']}>"

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            self._library.sluice_release(handle)

    def prepare(self, device=0):
        """Loads it on a device; needed before a launch that a CUDA graph captures."""
        check(self._library.sluice_prepare(self._handle, device))

    def __call__(self, *inputs, out=None, arguments=(), stream=None):
        made = None
        if out is None:
            made = out = self.make_outputs(*inputs)
        tensors = (*inputs, *out) if type(out) is tuple else (*inputs, out)
        if not self._plain or len(tensors) != len(self._tensors):
            tensors = self._in_order(inputs, out if type(out) is tuple else (out,))
        try:
            self._start(tensors, arguments, stream)
        except (AttributeError, struct.error):
            self._start(self._viewed(tensors, stream), arguments, stream)
        return made if made is None or len(made) > 1 else made[0]

    def _start(self, tensors, arguments, stream):
        local = self._local
        numbers = []
        shapes = []
        device = tensors[0].get_device()
        for t, dtypes, fixed in zip(tensors, self._dtypes, local.fixed):
            if t.dtype not in dtypes or t.get_device() != device or device < 0:
                if self._meet_torch():
                    return self._start(tensors, arguments, stream)
                self._refuse(tensors)
            numbers.append(t.data_ptr())
            numbers += fixed
            shapes += t.shape
            shapes += t.stride()
        local.pack(local.buffer, 0, *numbers, *shapes)
        if stream is None:
            stream = self._stream(device)
        integers = (ctypes.c_int64 * len(arguments))(*arguments) if arguments else None
        if self._launch(self._handle, local.address, len(tensors), integers, len(arguments), device,
                        stream):
            check(1)

    def _refuse(self, tensors):
        """Says which tensor is of another type or on another device."""
        for t, described, dtypes in zip(tensors, self._tensors, self._dtypes):
            about = f"kernel {self.name}, tensor {described['name']}: "
            if t.get_device() < 0:
                raise SluiceError(about + "it is not on a CUDA device")
            if t.get_device() != tensors[0].get_device():
                raise SluiceError(about + f"it is on device {t.get_device()}, and "
                                  f"{self._tensors[0]['name']} on {tensors[0].get_device()}")
            if t.dtype not in dtypes:
                raise SluiceError(about + f"its elements are {described['type']}, not {t.dtype}")

    def _viewed(self, tensors, stream):
        """The same tensors, those of other libraries by DLPack, of the right ranks."""
        viewed = tuple(view(t, stream) for t in tensors)
        for t, described in zip(viewed, self._tensors):
            if len(t.shape) != len(described["extents"]):
                raise SluiceError(f"kernel {self.name}, tensor {described['name']}: its rank is "
                                  f"{len(described['extents'])}, not {len(t.shape)}")
        return viewed

    def _in_order(self, inputs, out):
        """Inputs, outputs and workspaces as the manifest has them."""
        if len(inputs) != len(self._inputs) or len(out) != len(self._outputs):
            names = ", ".join(self._tensors[i]["name"] for i in self._inputs)
            raise SluiceError(f"kernel {self.name} takes {len(self._inputs)} inputs ({names}) and "
                              f"{len(self._outputs)} outputs, not {len(inputs)} and {len(out)}")
        tensors = [None] * len(self._tensors)
        for places, given in ((self._inputs, inputs), (self._outputs, out)):
            for i, t in zip(places, given):
                tensors[i] = t
        for i in self._other:
            tensors[i] = self._workspace(i, tensors[self._inputs[0] if inputs else 0])
        return tuple(tensors)

    def _workspace(self, i, like):
        """Kept for each stream, since kernels of one stream follow one another."""
        import torch
        key = (i, like.get_device(), self._stream(like.get_device()))
        if key not in self._workspaces:
            described = self._tensors[i]
            self._workspaces[key] = torch.empty(described["extents"], device=like.device,
                                                dtype=torch_dtype(described["type"]))
        return self._workspaces[key]

    def output_shapes(self, *inputs):
        """Extents of the outputs, by the names that they share with inputs."""
        if len(inputs) != len(self._inputs):
            self._in_order(inputs, (None,) * len(self._outputs))
        known = {}
        for i, t in zip(self._inputs, inputs):
            known.update(zip(self._tensors[i]["extents"], t.shape))
        shapes = []
        for i in self._outputs:
            extents = self._tensors[i]["extents"]
            shape = [e if isinstance(e, int) else known.get(e) if e else None for e in extents]
            if None in shape:
                raise SluiceError(f"kernel {self.name}: the extents of {self._tensors[i]['name']} "
                                  "do not follow from the inputs; give out=")
            shapes.append(tuple(shape))
        return shapes

    def make_outputs(self, *inputs):
        """New tensors for the outputs, contiguous in the dimension that the kernel wants."""
        shapes = self.output_shapes(*inputs)
        if not inputs or not hasattr(inputs[0], "data_ptr"):
            raise SluiceError(f"kernel {self.name}: outputs are made for tensors of PyTorch; give "
                              "out=")
        import torch
        made = []
        for i, shape in zip(self._outputs, shapes):
            described = self._tensors[i]
            options = {"dtype": torch_dtype(described["type"]), "device": inputs[0].device}
            if described["contiguous"] == len(shape) - 1:
                made.append(torch.empty(shape, **options))
            else:
                last = described["contiguous"]
                moved = (*shape[:last], *shape[last + 1:], shape[last])
                made.append(torch.empty(moved, **options).movedim(-1, last))
        return tuple(made)


def load(path):
    """The kernel of a manifest that `sluice build` wrote."""
    return Kernel(path)
