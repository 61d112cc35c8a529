"""DLPack's exchange API (dlpack.h 1.3) of the stand-in for PyTorch."""

import ctypes


class DlTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("rank", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


_alive = []  # what C points to
reads = []  # tensors that C has asked for


def capsule(types, streams):
    """`types`: DLDataTypeCode and bits of each dtype; `streams`: of each device."""

    def read(t, address):
        if not hasattr(t, "stride"):
            return -1
        reads.append(t)
        numbers = [(ctypes.c_int64 * len(n))(*n) for n in (t.shape, t.stride())]
        _alive.append(numbers)
        code, bits = types[t.dtype]
        ctypes.memmove(address, ctypes.byref(DlTensor(
            t.data_ptr(), 2 if t.get_device() >= 0 else 1, max(t.get_device(), 0), len(t.shape),
            code, bits, 1, *(ctypes.addressof(n) for n in numbers), 0)), ctypes.sizeof(DlTensor))
        return 0

    def stream(device_type, device, address):
        ctypes.c_void_p.from_address(address).value = streams[device]
        return 0

    functions = [
        ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(read),
        ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(stream)]
    addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in functions]
    api = (ctypes.c_uint64 * 7)(1 | 3 << 32, 0, 0, 0, 0, *addresses)  # version 1.3
    _alive.extend((functions, api))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(api), b"dlpack_exchange_api", None)
