"""Stands in for PyTorch: tensors that have an address and a shape and no memory."""

import contextlib
import itertools
import math
import os
import types

float16, bfloat16, float32, int8, int32, int64, float8_e4m3fn, float8_e5m2 = (
    type("dtype", (), {"__repr__": lambda self, n=n: "torch." + n})()
    for n in "float16 bfloat16 float32 int8 int32 int64 float8_e4m3fn float8_e5m2".split())
_addresses = itertools.count(1 << 20, 1 << 26)  # apart
_streams = {0: 7, 1: 9}
_C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: _streams[device])


class Tensor:
    def __init__(self, shape, dtype=float16, device=0, strides=None, address=None):
        self.shape, self.dtype, self.device = tuple(shape), dtype, device
        self._address = next(_addresses) if address is None else address
        dense, next_stride = [], 1
        for extent in reversed(self.shape):
            dense.insert(0, next_stride)
            next_stride *= max(extent, 1)
        self._strides = tuple(dense if strides is None else strides)

    def data_ptr(self):
        return self._address

    def stride(self, dim=None):
        return self._strides if dim is None else self._strides[dim]

    def dim(self):
        return len(self.shape)

    def contiguous(self):
        return Tensor(self.shape, self.dtype, self.device)

    def get_device(self):
        return self.device

    def element_size(self):
        return {float32: 4, int32: 4, float16: 2, bfloat16: 2}.get(self.dtype, 1)

    def t(self):
        return Tensor(self.shape[::-1], self.dtype, self.device, self._strides[::-1], self._address)

    def unsqueeze(self, dim):
        at = dim % (len(self.shape) + 1)
        with_one = [[*t[:at], 1, *t[at:]] for t in (self.shape, self._strides)]
        return Tensor(with_one[0], self.dtype, self.device, with_one[1], self._address)

    def view(self, *shape):
        shape = shape[0] if isinstance(shape[0], tuple) else shape
        known = math.prod(e for e in shape if e != -1)
        if shape == (-1,) and self._strides != Tensor(self.shape, address=0)._strides:
            raise RuntimeError("view size is not compatible with input tensor's size and stride")
        shape = tuple(math.prod(self.shape) // known if e == -1 else e for e in shape)
        return Tensor(shape, self.dtype, self.device, None, self._address)

    def zero_(self):
        zeroed.append(_streams[self.device])
        return self


def empty(shape, dtype=float32, device=0):
    return Tensor(shape, dtype, device)


class Number:
    """A tensor of the host, of one integer."""

    def __init__(self, value):
        self.value = value

    def __int__(self):
        return self.value


def tensor(value, dtype, device):
    return Number(value)


def randint(high, shape, dtype, device):
    return Number(high - 1)


class _Operator:
    """Of torch.library.custom_op: called as it is; what is registered with it is kept."""

    def __init__(self, run, name):
        self.run, self.name, self.fake, self.gradient = run, name, None, None

    def __call__(self, *given, **named):
        return self.run(*given, **named)

    def register_fake(self, fake):
        self.fake = fake

    def register_autograd(self, backward, setup_context):
        self.gradient = backward, setup_context


class no_grad:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def is_grad_enabled():
    return False


library = types.SimpleNamespace(
    custom_op=lambda name, mutates_args: lambda run: _Operator(run, name))
zeroed = []  # the streams that it was asked on, one after the other
waited = []  # those that the host has waited for


@contextlib.contextmanager
def _stream(stream):
    before, _streams[0] = _streams[0], stream
    yield
    _streams[0] = before


def _current_stream(device):
    stream = _streams[device]
    return types.SimpleNamespace(cuda_stream=stream, synchronize=lambda: waited.append(stream))


cuda = types.SimpleNamespace(
    capturing=False, is_current_stream_capturing=lambda: cuda.capturing, stream=_stream,
    current_stream=_current_stream,
    ExternalStream=lambda stream, device: stream, default_stream=lambda device: 0)


if os.environ.get("FAKE_EXCHANGE"):
    import exchange
    Tensor.__dlpack_c_exchange_api__ = exchange.capsule(
        {float16: (2, 16), bfloat16: (4, 16), float32: (2, 32), int8: (0, 8), int32: (0, 32),
         float8_e4m3fn: (10, 8), float8_e5m2: (12, 8)}, _streams)
