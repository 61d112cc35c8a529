"""libsluice_rt.so by ctypes, and the program `sluice`: where they are and what they are called."""

import ctypes
import os
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent

# sluice_type of runtime.h, by the names of the manifest.
TYPES = {"s8": 1, "i32": 2, "e4m3": 4, "e5m2": 5, "f16": 6, "bf16": 7, "tf32": 8, "f32": 9}


class SluiceError(RuntimeError):
    """What the runtime or the program said: the call, the kernel and the argument by name."""


def _folders():
    """Of the package, of $SLUICE_BIN, and of a build beside the source tree."""
    yield HERE / "bin"
    if os.environ.get("SLUICE_BIN"):
        yield Path(os.environ["SLUICE_BIN"])
    for build in ("build-release", "build"):
        yield HERE.parent.parent / build / "bin"


def find(name):
    """Path of one of our binaries, or None."""
    for folder in _folders():
        if (folder / name).exists():
            return folder / name
    return None


def program():
    path = find("sluice") or shutil.which("sluice")
    if not path:
        raise SluiceError("the program `sluice` is not here; set SLUICE_BIN to the folder it is in")
    return str(path)


def _open():
    path = find("libsluice_rt.so")
    if not path:
        raise SluiceError("libsluice_rt.so is not here; build it (make release) or set SLUICE_BIN "
                          "to the folder it is in")
    library = ctypes.CDLL(str(path))
    library.sluice_error.restype = ctypes.c_char_p
    library.sluice_load.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    library.sluice_release.argtypes = [ctypes.c_void_p]
    library.sluice_release.restype = None
    library.sluice_prepare.argtypes = [ctypes.c_void_p, ctypes.c_int32]
    return library


_library = None


def library():
    global _library
    if _library is None:
        _library = _open()
    return _library


def check(status):
    if status:
        raise SluiceError(library().sluice_error().decode(errors="replace"))
