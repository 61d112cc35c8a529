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
                for name in ("kernel", "item", "read", "stream", "leave", "enter")]


def _of_python(name):
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)


def _api(tensor_class):
    """The exchange API of a library's tensors, or None."""
    capsule = getattr(tensor_class, "__dlpack_c_exchange_api__", None)
    if type(capsule).__name__ != "PyCapsule":
        return None
    api = _Api.from_address(capsule_pointer(capsule, b"dlpack_exchange_api"))
    return api if api.major == 1 and api.read and api.stream else None


def launcher(handle, tensor_class):
    """launch(tensors), a tuple of all of a kernel's, to a sluice_status; None where the library of
    `tensor_class` cannot be asked so."""
    api = _api(tensor_class)
    if api is None:
        return None
    # By PyDLL: the objects are read under the interpreter's lock, and the call itself leaves it.
    function = ctypes.PyDLL(str(find("libsluice_rt.so"))).sluice_launch_objects
    function.argtypes = [ctypes.c_void_p, ctypes.py_object]
    call = _Call(handle.value, _of_python("PyTuple_GetItem"), api.read, api.stream,
                 _of_python("PyEval_SaveThread"), _of_python("PyEval_RestoreThread"))
    return functools.partial(function, ctypes.byref(call))
