"""Kernels made on demand by the program `sluice`, and kept on disk for the next process."""

import ctypes.util
import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ._kernel import Kernel
from ._library import SluiceError, program


def cache_folder():
    """As the runtime's: $SLUICE_CACHE_DIR (set and empty: none), else $XDG_CACHE_HOME/sluice, else
    ~/.cache/sluice; kernels have a folder in it."""
    named = os.environ.get("SLUICE_CACHE_DIR")
    if named is not None:
        return Path(named) / "kernels" if named else None
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "sluice" / "kernels"


def _environment():
    """PyTorch's wheels bring NVRTC where no loader looks for it; CUDA's own comes first."""
    environment = dict(os.environ)
    if "SLUICE_NVRTC" in environment or Path("/usr/local/cuda/lib64/libnvrtc.so").exists() or \
            ctypes.util.find_library("nvrtc"):
        return environment
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(place).glob("*/lib/libnvrtc.so.1[23]")):
            environment["SLUICE_NVRTC"] = str(path)
    return environment


def _run(words, folder):
    done = subprocess.run([*words, "-o", str(folder)], env=_environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        raise SluiceError((lines[-1][len("error: "):] if lines else done.stderr.strip())
                          or f"sluice build ended with {done.returncode}")


def _build_into(words, parent, name):
    """A folder appears whole under its name, or another process's stays there."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=".building-", dir=parent)
    try:
        _run(words, folder)
        try:
            os.rename(folder, parent / name)
        except OSError:
            if not (parent / name).is_dir():
                raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build(kernel, settings):
    """The kernel of the catalogue with these settings, from the cache where it is there."""
    path = program()
    words = [path, "build", kernel, "--set", *(f"{k}={v}" for k, v in sorted(settings.items()))]
    about = os.stat(path)
    key = repr((words[1:], about.st_size, about.st_mtime_ns))
    name = hashlib.sha256(key.encode()).hexdigest()
    parent = cache_folder()
    if parent:
        manifest = parent / name / f"{kernel}.json"
        try:
            if not manifest.exists():
                _build_into(words, parent, name)
            return Kernel(manifest)
        except (OSError, SluiceError):
            if manifest.exists() or _can_write(parent):
                raise
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        _run(words, folder)
        return Kernel(Path(folder) / f"{kernel}.json")


def _can_write(folder):
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * (1 << 20))
        return True
    except OSError:
        return False
