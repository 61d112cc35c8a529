"""Tensors that are not PyTorch's, by DLPack (dlpack.h, version 0.8: DLManagedTensor)."""

import copy
import ctypes
import math

from ._library import SluiceError

CUDA, CUDA_MANAGED = 2, 13  # DLDeviceType
# (DLDataTypeCode, bits): names of the manifest
NAMES = {(0, 8): "s8", (0, 32): "i32", (2, 16): "f16", (2, 32): "f32", (4, 16): "bf16",
         (10, 8): "e4m3", (12, 8): "e5m2"}


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class View:
    """What a launch asks of a tensor, in PyTorch's words. The capsule keeps the memory alive; it is
    not consumed, so its own destructor gives the memory back."""

    def __init__(self, tensor, stream):
        if not hasattr(tensor, "__dlpack__"):
            raise SluiceError(f"{type(tensor).__name__} is no tensor: it has no __dlpack__")
        if tensor.__dlpack_device__()[0] not in (CUDA, CUDA_MANAGED):
            self._device, self._data, self._strides = -1, 0, ()
            self.shape, self.dtype = tuple(tensor.shape), None
            return
        # Stream numbers of the array API: 1 is CUDA's default stream.
        self._capsule = tensor.__dlpack__(stream=stream or 1)
        t = _Tensor.from_address(capsule_pointer(self._capsule, b"dltensor"))
        self._device = t.device_id if t.device_type in (CUDA, CUDA_MANAGED) else -1
        self._data = (t.data or 0) + t.byte_offset
        self.shape = tuple(t.shape[:t.ndim])
        self._strides = tuple(t.strides[:t.ndim]) if t.strides else _dense(self.shape)
        name = NAMES.get((t.code, t.bits)) if t.lanes == 1 else None
        self.dtype = name or f"DLPack type {t.code} of {t.bits} bits"

    def data_ptr(self):
        return self._data

    def stride(self):
        return self._strides

    def get_device(self):
        return self._device

    def view(self, _):
        """All elements as one dimension; PyTorch's own words where they do not lie side by side."""
        dense = _dense(self.shape)
        count = math.prod(self.shape)
        if count and any(e != 1 and s != d for e, s, d in zip(self.shape, self._strides, dense)):
            raise RuntimeError("the elements do not lie side by side")
        line = copy.copy(self)
        line.shape, line._strides = (count,), (1,)
        return line


def _dense(shape):
    strides, next_stride = [], 1
    for extent in reversed(shape):
        strides.insert(0, next_stride)
        next_stride *= extent
    return tuple(strides)


def view(tensor, stream=None):
    return tensor if hasattr(tensor, "data_ptr") else View(tensor, stream)
