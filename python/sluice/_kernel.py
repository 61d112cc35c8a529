"""A kernel from its manifest. What a call costs is Python's share of a launch, so the way through
Kernel.__call__ is short: read pointers, extents and strides, pack them, call the library once."""

import contextlib
import ctypes
import functools
import json
import struct
import sys
import threading
from pathlib import Path

from ._exchange import UNREAD, launcher
from ._library import TYPES, SluiceError, check, library
from ._view import view

READY = 16  # counters for launches that graphs will capture, made with those of a stream
_TORCH_NAMES = {"s8": "int8", "i32": "int32", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2",
                "f16": "float16", "bf16": "bfloat16", "tf32": "float32", "f32": "float32"}


def torch_dtype(name):
    import torch
    return getattr(torch, _TORCH_NAMES[name])


def _dlpack_names(name):
    """What view() calls such elements; a tf32 is an f32 there."""
    return ("f32",) if name == "tf32" else (name,)


def _current_stream(torch):
    """A function from a device to the handle of PyTorch's current stream there."""
    fast = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return fast or (lambda device: torch.cuda.current_stream(device).cuda_stream)


def _on(torch, stream, device):
    """What is done within it goes to that stream (a number); None: to the current one."""
    if stream is None:
        return contextlib.nullcontext()
    return torch.cuda.stream(torch.cuda.ExternalStream(stream, device) if stream
                             else torch.cuda.default_stream(device))


class _Call(threading.local):
    """A sluice_call of runtime.h with its sluice_tensor[] and the extents and strides that those
    point to; one for each thread. What changes from launch to launch is packed at once: device,
    stream, the tensors, then extents and strides of each."""

    HEADER = 32  # bytes of the members before device

    def __init__(self, kernel, ranks, types, argument_types):
        numbers = 2 + 4 * len(ranks) + 2 * sum(ranks)
        self.pack = struct.Struct(f"{numbers}q").pack_into
        self.buffer = bytearray(self.HEADER + 8 * numbers)
        self._held = (ctypes.c_char * len(self.buffer)).from_buffer(self.buffer)
        address = ctypes.addressof(self._held)
        self.pointer = ctypes.c_void_p(address)
        self._kernel, self._tensors, self._count = kernel, address + self.HEADER + 16, len(ranks)
        self._floats = [t == "f32" for t in argument_types]
        self.set_arguments(())
        self.fixed = []  # per tensor: where its extents and its strides are, its rank and type
        at = self._tensors + 32 * len(ranks)
        for rank, kind in zip(ranks, types):
            self.fixed.append((at, at + 8 * rank, rank | kind << 32))
            at += 16 * rank

    def set_arguments(self, arguments):
        """Integers as they are, an f32 by its bits."""
        floats = self._floats + [False] * len(arguments)
        for a, is_float in zip(arguments, floats):
            if not is_float and not -2**31 <= a < 2**31:  # ctypes would cut it
                raise SluiceError(f"an argument of {a} does not fit 32 bits")
        self._integers = (ctypes.c_int64 * len(arguments))(
            *(struct.unpack("i", struct.pack("f", a))[0] if is_float else a
              for a, is_float in zip(arguments, floats)))
        struct.pack_into("4q", self.buffer, 0, self._kernel, self._tensors,
                         ctypes.addressof(self._integers) if arguments else 0,
                         self._count | len(arguments) << 32)
        self.arguments = arguments

    def has(self, arguments):
        """Whether these were set last; -0.0 and 0.0 are equal, and are two numbers."""
        return arguments == self.arguments and not any(self._floats)


@functools.lru_cache(maxsize=None)
def _starter(count):
    """start(call, launch, dtypes, stream_of, tensors, stream) for so many tensors, without a loop,
    which would cost a microsecond. None where a tensor's type or device is not as it should be."""
    each = range(count)

    def line(text, separator):
        return separator.join(text.format(i=i) for i in each)

    source = f"""
def start(call, launch, dtypes, stream_of, tensors, stream):
    {line("t{i}", ", ")}, = tensors
    {line("f{i}", ", ")}, = call.fixed
    {line("d{i}", ", ")}, = dtypes
    device = t0.get_device()
    if device < 0 or {line("t{i}.dtype not in d{i} or t{i}.get_device() != device", " or ")}:
        return None
    call.pack(call.buffer, {_Call.HEADER}, device, stream_of(device) if stream is None else stream,
              {line("t{i}.data_ptr(), *f{i}", ", ")},
              {line("*t{i}.shape, *t{i}.stride()", ", ")})
    return launch(call.pointer)
"""
    names = {}
    exec(compile(source, "<launch>", "exec"), names)
    return names["start"]


class Kernel:
    """A kernel on the devices that ask for it; call it with its inputs in the manifest's order.

    `out`: the outputs, one tensor or a tuple of them; without it they are made, where the manifest
    names their extents. The launch goes to PyTorch's current stream of the tensors' device
    (`stream`: another, as a number) and nothing waits for it. `arguments`: the kernel's scalars.
    """

    def __init__(self, path):
        self._library = library()
        handle = ctypes.c_void_p()
        check(self._library.sluice_load(str(path).encode(), ctypes.byref(handle)))
        self._handle = handle
        self.manifest = json.loads(Path(path).read_text())
        self._launch = self._library.sluice_launch_call
        self._tensors = self.manifest["tensors"]
        self._dtypes = [_dlpack_names(t["type"]) for t in self._tensors]  # and PyTorch's types
        self._stream = lambda device: 0
        self._knows_torch, self._objects = False, None
        self._meet_torch()
        self._order()
        self._call = _Call(handle.value, [len(t["extents"]) for t in self._tensors],
                           [TYPES[t["type"]] for t in self._tensors],
                           [a["type"] for a in self.manifest["arguments"]])
        if not self._tensors:
            raise SluiceError(f"kernel {self.name} takes no tensors")
        self._starter = _starter(len(self._tensors))
        self._workspaces, self._ready, self._captured = {}, {}, []

    def _meet_torch(self):
        """Whether PyTorch has been imported since we last looked."""
        torch = sys.modules.get("torch")
        if torch is None or self._knows_torch:
            return False
        self._dtypes = [(torch_dtype(t["type"]), *_dlpack_names(t["type"])) for t in self._tensors]
        self._stream = _current_stream(torch)
        self._knows_torch = True
        if not self.manifest["arguments"]:
            self._objects = launcher(self._handle, torch.Tensor)
        return True

    def _order(self):
        """Positions of inputs, outputs and workspaces; whether inputs and then outputs are all."""
        tensors = self._tensors
        self._inputs = [i for i, t in enumerate(tensors) if t["input"]]
        self._outputs = [i for i, t in enumerate(tensors) if t["output"] and not t["input"]]
        self._other = [i for i, t in enumerate(tensors) if not t["output"] and not t["input"]]
        self._lines = [bool(t.get("line")) for t in tensors]
        self._sources = [self._extent_sources(i) for i in self._outputs]
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
            tensors = self._in_order(inputs, out if type(out) is tuple else (out,), stream)
        try:
            if (self._objects is None or arguments or stream is not None
                    or not self._launch_objects(tensors)):
                self._start(tensors, arguments, stream)
        except (AttributeError, struct.error):
            self._start(self._viewed(tensors, stream), arguments, stream)
        return made if made is None or len(made) > 1 else made[0]

    def _launch_objects(self, tensors):
        """Whether these are tensors of PyTorch, of the right types; then they are launched."""
        try:
            status = self._objects(tensors)
        except Exception:  # of the library that was asked for a tensor
            return False
        if status == UNREAD:
            return False
        check(status)
        return True

    def _start(self, tensors, arguments, stream):
        call = self._call
        if not call.has(arguments):
            call.set_arguments(tuple(arguments))
        if any(self._lines):
            tensors = self._on_lines(tensors)
        status = self._starter(call, self._launch, self._dtypes, self._stream, tensors, stream)
        if status is None:
            if self._meet_torch():
                return self._start(tensors, arguments, stream)
            self._refuse(tensors)
        if status:
            check(status)

    def _on_lines(self, tensors):
        """Those that are passed as one line of numbers as such."""
        made = []
        for t, line, described in zip(tensors, self._lines, self._tensors):
            try:
                made.append(t.view(-1) if line and len(t.shape) != 1 else t)
            except RuntimeError:
                raise SluiceError(f"kernel {self.name}, tensor {described['name']}: it is passed "
                                  "as one line of numbers, and its elements do not lie side by "
                                  "side; use .contiguous()") from None
        return tuple(made)

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
            if len(t.shape) != len(described["extents"]) and not described.get("line"):
                raise SluiceError(f"kernel {self.name}, tensor {described['name']}: its rank is "
                                  f"{len(described['extents'])}, not {len(t.shape)}")
        return viewed

    def _in_order(self, inputs, out, stream=None):
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
            tensors[i] = self._workspace(i, tensors[self._inputs[0] if inputs else 0], stream)
        return tuple(tensors)

    def _workspace(self, i, like, stream):
        """Kept for each stream, since kernels of one stream follow one another. A launch that a
        CUDA graph captures has its own: counters that are zero already, as a kernel leaves them, or
        to which the graph writes zeros before each replay where there are none left."""
        self._meet_torch()
        torch, device = sys.modules["torch"], like.get_device()
        with _on(torch, stream, device):
            captured = torch.cuda.is_current_stream_capturing()
            key = (i, device, self._stream(device))
            if not captured and key in self._workspaces:
                return self._workspaces[key]
            ready = self._ready.setdefault((i, device), [])
            if not captured and self._tensors[i].get("zeros"):
                ready += [self._counters(i, like) for _ in range(1 + READY)]
                torch.cuda.current_stream(device).synchronize()  # replays may be on any stream
            made = ready.pop() if ready else self._counters(i, like)
        if captured:
            self._captured.append(made)
        else:
            self._workspaces[key] = made
        return made

    def _counters(self, i, like):
        made = self._empty(i, self._tensors[i]["extents"], like.device)
        return made.zero_() if self._tensors[i].get("zeros") else made

    def _extent_sources(self, i):
        """Where an output's extents come from: numbers, (input, dimension), or None: unknown; of
        one that is passed as one line, (input, None): it has that input's."""
        if self._lines[i]:
            return [next(((place, None) for place, j in enumerate(self._inputs)
                          if self._lines[j]), None)]
        known = {}
        for place, j in enumerate(self._inputs):
            for d, extent in enumerate(self._tensors[j]["extents"]):
                if isinstance(extent, str):
                    known.setdefault(extent, (place, d))
        return [e if isinstance(e, int) else known.get(e) for e in self._tensors[i]["extents"]]

    def output_shapes(self, *inputs):
        """Extents of the outputs, by the names that they share with inputs."""
        if len(inputs) != len(self._inputs):
            self._in_order(inputs, (None,) * len(self._outputs))
        shapes = []
        for i, sources in zip(self._outputs, self._sources):
            if None in sources:
                raise SluiceError(f"kernel {self.name}: the extents of {self._tensors[i]['name']} "
                                  "do not follow from the inputs; give out=")
            shapes.append(tuple(inputs[sources[0][0]].shape) if self._lines[i] else
                          tuple([s if isinstance(s, int) else inputs[s[0]].shape[s[1]]
                                 for s in sources]))
        return shapes

    def make_outputs(self, *inputs):
        """New tensors for the outputs, contiguous in the dimension that the kernel wants."""
        shapes = self.output_shapes(*inputs)
        if not inputs or not hasattr(inputs[0], "data_ptr"):
            raise SluiceError(f"kernel {self.name}: outputs are made for tensors of PyTorch; give "
                              "out=")
        self._meet_torch()
        return tuple([self._empty(i, shape, inputs[0].device)
                      for i, shape in zip(self._outputs, shapes)])

    def _empty(self, i, shape, device):
        empty, dtype = sys.modules["torch"].empty, self._dtypes[i][0]
        last = self._tensors[i]["contiguous"]
        if last >= len(shape) - 1 or self._lines[i]:
            return empty(shape, dtype=dtype, device=device)
        moved = (*shape[:last], *shape[last + 1:], shape[last])
        return empty(moved, dtype=dtype, device=device).movedim(-1, last)


def load(path):
    """The kernel of a manifest that `sluice build` wrote."""
    return Kernel(path)
