"""Launches that read PyTorch's tensors in C, by DLPack's exchange API (dlpack.h 1.3, which PyTorch
has from 2.10 on): half of what a call costs otherwise."""

import ctypes
import functools

from ._library import find
from ._view import capsule_pointer

UNREAD = 1  # sluice_status of runtime.h


class _Api(ctypes.Structure):
    """DLPackExchangeAPI."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)] + [
        (name, ctypes.c_void_p)
        for name in ("older", "allocate", "take", "give", "read", "stream")]


class _Call(ctypes.Structure):
    """sluice_objects_call of runtime.h."""

    _fields_ = [(name, ctypes.c_void_p)
                for name in ("kernel", "item", "read", "stream", "leave", "enter", "bytes")]


def _api(tensor_class):
    """The exchange API of a library's tensors, or None."""
    capsule = getattr(tensor_class, "__dlpack_c_exchange_api__", None)
    if type(capsule).__name__ != "PyCapsule":
        return None
    api = _Api.from_address(capsule_pointer(capsule, b"dlpack_exchange_api"))
    return api if api.major == 1 and api.read and api.stream else None


def _call(kernel, api):
    item, leave, enter, to_bytes = (
        ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)
        for name in ("PyTuple_GetItem", "PyEval_SaveThread", "PyEval_RestoreThread",
                     "PyBytes_FromStringAndSize"))
    return ctypes.byref(_Call(kernel, item, api.read, api.stream, leave, enter, to_bytes))


def _function(name):
    """By PyDLL: objects are read under the interpreter's lock."""
    return getattr(ctypes.PyDLL(str(find("libsluice_rt.so"))), name)


def launcher(handle, tensor_class):
    """launch(tensors), a tuple of all of a kernel's, to a sluice_status; None where the library of
    `tensor_class` cannot be asked so."""
    api = _api(tensor_class)
    if api is None:
        return None
    function = _function("sluice_launch_objects")
    function.argtypes = [ctypes.c_void_p, ctypes.py_object]
    return functools.partial(function, _call(handle.value, api))


def key_maker(tensor_class):
    """key(tensors, how many): bytes that decide which kernel serves them, none where one cannot be
    read; None as above."""
    api = _api(tensor_class)
    if api is None:
        return None
    function = _function("sluice_objects_key")
    function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_int32]
    function.restype = ctypes.py_object
    return functools.partial(function, _call(None, api))
