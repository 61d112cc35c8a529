"""Kernels made on demand by the program `sluice`, and kept on disk for the next process."""

import contextlib
import ctypes.util
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ._arrays import Array
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


def _said(words):
    """What the program says; its error, if it ends with one."""
    done = subprocess.run(words, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace")
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        raise SluiceError((lines[-1][len("error: "):] if lines else done.stderr.strip())
                          or f"sluice {words[1]} ended with {done.returncode}")
    return done.stdout


def _build_into(make, parent, name):
    """A folder appears whole under its name, or another process's stays there."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=".building-", dir=parent)
    try:
        make(folder)
        try:
            os.rename(folder, parent / name)
        except OSError:
            if not (parent / name).is_dir():
                raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sets(settings):
    return ["--set", *(f"{k}={v}" for k, v in sorted(settings.items()))]


def _name_of(what):
    """In the cache: of what is asked and of the program that is asked."""
    about = os.stat(program())
    key = repr((what, about.st_size, about.st_mtime_ns))
    return hashlib.sha256(key.encode()).hexdigest()


def _kept(kernel, what, make):
    """The kernel that make(folder) builds of what `what` says, from the cache where it is there."""
    name = _name_of(what)
    parent = cache_folder()
    if parent:
        manifest = parent / name / f"{kernel}.json"
        try:
            if not manifest.exists():
                _build_into(make, parent, name)
            return Kernel(manifest)
        except (OSError, SluiceError):
            if manifest.exists() or _can_write(parent):
                raise
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        make(folder)
        return Kernel(Path(folder) / f"{kernel}.json")


def build(kernel, settings):
    """The kernel of the catalogue with these settings."""
    words = ["build", kernel, *_sets(settings)]
    return _kept(kernel, words, lambda folder: _said([program(), *words, "-o", str(folder)]))


def _machine():
    """Whose plan it is: that of PyTorch's GPU where it is known to differ from an H100's."""
    try:
        name = sys.modules["torch"].cuda.get_device_name()
    except (AssertionError, AttributeError, KeyError, RuntimeError):  # there is none
        return []
    return ["--arch", "h200"] if "H200" in name else []


def plan(kernel, settings):
    """The settings that the planner chooses beside these; asked once, also by other processes."""
    machine = [] if kernel == "gemm" else _machine()  # whose costs are those of both
    words = ["plan", kernel, *_sets(settings), *machine, "--json"]
    parent = cache_folder()
    file = parent.parent / "plans" / _name_of(words) if parent else None
    try:
        said = file.read_text() if file else None
    except OSError:
        said = None
    if said is None:
        said = json.loads(_said([program(), *words]))["chosen"]
        _keep_text(file, said)
    return dict(setting.split("=") for setting in said.split())


def _keep_text(file, text):
    """A file appears whole under its name, or not at all where the folder cannot be written."""
    try:
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            made = tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False)
            with made:
                made.write(text)
            os.replace(made.name, file)
    except OSError:
        pass


# ---- Programs that are no file ------------------------------------------------------------------

@contextlib.contextmanager
def _file(text, name):
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        path = Path(folder) / f"{name}.mlir"
        path.write_text(text)
        yield path


def build_text(text, name, settings):
    """The kernel of that name that the text defines; it is kept by its text alone."""
    def make(folder):
        with _file(text, name) as path:
            _said([program(), "build", str(path), *_sets(settings), "-o", str(folder)])
    return _kept(name, ["build", text], make)


def emit(text, name, settings):
    with _file(text, name) as path:
        return _said([program(), "emit", str(path), *_sets(settings)])


def simulate(text, name, settings, inputs, outputs):
    """Its outputs by the virtual machine; `inputs`: Arrays by the names of tensors."""
    with _file(text, name) as path:
        words = [program(), "run", str(path), "--device", "sim", *_sets(settings)]
        for tensor, given in inputs.items():
            given.write(path.parent / f"{tensor}.npy")
        words += ["--in", *(f"{t}={path.parent / t}.npy" for t in inputs)]
        words += ["--out", *(f"{t}={path.parent / t}.npy" for t in outputs)]
        _said(words)
        return [Array.read(path.parent / f"{t}.npy") for t in outputs]


def _can_write(folder):
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * (1 << 20))
        return True
    except OSError:
        return False
