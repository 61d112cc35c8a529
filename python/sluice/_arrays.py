"""Arrays of the virtual machine's runs, as .npy files (NumPy Enhancement Proposal 1): of NumPy, or
lists in lists."""

import array
import ast
import math
import struct
import sys
from pathlib import Path
from typing import NamedTuple

from ._library import SluiceError
from ._trace import type_name

_DESCR = {"<f4": "f32", "<f2": "f16", "<u2": "bf16"}


def is_array(value):
    return isinstance(value, list) or hasattr(value, "__array_interface__")


def _shape(value):
    shape = []
    while isinstance(value, list):
        shape.append(len(value))
        value = value[0] if value else None
    return tuple(shape)


def _flat(value, shape, flat):
    if not shape:
        flat.append(value)
        return flat
    if not isinstance(value, list) or len(value) != shape[0]:
        raise SluiceError("lists of one array have equally many elements")
    for part in value:
        _flat(part, shape[1:], flat)
    return flat


class Array(NamedTuple):
    """Elements in the order of rows. `dtype`: what the kernel takes them for; `data` is of f32, or
    of f16 where `descr` says so."""

    shape: tuple
    dtype: str
    descr: str
    data: bytes
    numpy: bool

    @classmethod
    def of(cls, value, dtype):
        if isinstance(value, list):
            shape = _shape(value)
            data = array.array("f", _flat(value, shape, []))
            return cls(shape, type_name(dtype or "f32"), "<f4", data.tobytes(), False)
        own = value.dtype.str
        if own not in ("<f4", "<f2"):
            raise SluiceError(f"run takes arrays of float32 and float16, not {value.dtype}")
        return cls(tuple(value.shape), type_name(dtype) if dtype else _DESCR[own], own,
                   value.tobytes(), True)

    def reshaped(self, shape):
        return self._replace(shape=tuple(shape))

    def write(self, path):
        extents = "".join(f"{e}, " for e in self.shape)
        header = f"{{'descr': '{self.descr}', 'fortran_order': False, 'shape': ({extents}), }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                               header.encode() + self.data)

    @classmethod
    def read(cls, path):
        raw = Path(path).read_bytes()
        length = struct.unpack("<H", raw[8:10])[0]
        header = ast.literal_eval(raw[10:10 + length].decode())
        return cls(tuple(header["shape"]), _DESCR[header["descr"]], header["descr"],
                   raw[10 + length:], False)

    def numbers(self):
        count = math.prod(self.shape)
        if self.dtype == "f16":
            return list(struct.unpack(f"<{count}e", self.data))
        if self.dtype == "bf16":
            wide = struct.unpack(f"<{count}H", self.data)
            return list(struct.unpack(f"<{count}f", struct.pack(f"<{count}I",
                                                               *(x << 16 for x in wide))))
        return list(struct.unpack(f"<{count}f", self.data))

    def given_back(self, shape, like):
        """As NumPy's (bf16 in float32) or in lists."""
        if like is not None:
            numpy = sys.modules["numpy"]
            of = {"f16": numpy.float16}.get(self.dtype, numpy.float32)
            return numpy.array(self.numbers(), of).reshape(shape)
        return _nested(self.numbers(), tuple(shape))


def _nested(flat, shape):
    if not shape:
        return flat[0]
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]
