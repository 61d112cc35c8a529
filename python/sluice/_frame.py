"""The rows and columns that the tensors of a fused function share, and how each lies in them."""

import math
from typing import NamedTuple

from ._library import SluiceError
from ._trace import FLOATS


class Spec(NamedTuple):
    """What decides how a tensor is taken: its extents, its type, its strides in elements (dense
    where there are none) and the bytes that divide its address."""

    shape: tuple
    dtype: str = "bf16"
    strides: tuple = None
    align: int = 16

    def dense(self):
        strides, step = [], 1
        for extent in reversed(self.shape):
            strides.insert(0, step)
            step *= max(extent, 1)
        return tuple(strides)


def is_dense(spec):
    return spec.strides is None or spec.strides == spec.dense()


class Frame:
    """Of all tensors: rows are the dimensions but the last, columns the last."""

    def __init__(self, name, specs):
        self.name, self.rank = name, max(len(s.shape) for s in specs.values())
        if self.rank == 0:
            raise self._wrong("no tensor has a dimension")
        padded = [self._padded(s) for s in specs.values()]
        self.shape = tuple([next((e for e in extents if e != 1), 1) for extents in zip(*padded)])
        self.rows, self.columns = math.prod(self.shape[:-1]), self.shape[-1]
        for tensor, spec in specs.items():
            self._check(tensor, spec)
        if not any(all(self.varies(s)) for s in specs.values()):
            raise self._wrong("no tensor has all rows and all columns")

    def _wrong(self, words):
        return SluiceError(f"fuse of {self.name}: {words}")

    def _padded(self, spec):
        return (1,) * (self.rank - len(spec.shape)) + tuple(spec.shape)

    def _check(self, tensor, spec):
        wide = self._padded(spec)
        lead = self.shape[:-1]
        if wide[-1] not in (1, self.columns) or (wide[:-1] != lead and set(wide[:-1]) - {1}):
            raise self._wrong(
                f"{tensor} of {list(spec.shape)} beside {list(self.shape)}: a tensor has all rows "
                "or is the same for all, and all columns or one")
        if not any(self.varies(spec)):
            raise self._wrong(f"{tensor} has one element; give a number")
        if spec.dtype not in FLOATS:
            raise self._wrong(f"{tensor} is of {spec.dtype}: types are f32, f16 and bf16")

    def varies(self, spec):
        """Whether it has all rows, and all columns."""
        rows = len(spec.shape) == self.rank if self.rows == 1 else \
            self._padded(spec)[:-1] == self.shape[:-1]
        return rows, self._padded(spec)[-1] == self.columns

    def line(self, tensor, spec):
        """Elements from a row to the next; all rows lie so, and their columns side by side."""
        columns = self.varies(spec)[1]
        strides = spec.strides or spec.dense()
        if columns and self.columns > 1 and strides[-1] != 1:
            raise self._wrong(f"the last dimension of {tensor} is not contiguous; use "
                              ".contiguous()")
        lead = [(e, s) for e, s in zip(spec.shape[:-1], strides[:-1]) if e != 1]
        for (_, outer), (extent, inner) in zip(lead, lead[1:]):
            if outer != extent * inner:
                raise self._wrong(f"the rows of {tensor} do not lie at equal distances; use "
                                  ".contiguous()")
        return lead[-1][1] if lead else self.columns if columns else 1

    def align(self, tensor, spec):
        """Bytes, a power of two up to 16, that divide the address and the distance of rows."""
        rows, columns = self.varies(spec)
        line = self.line(tensor, spec)
        if not columns:
            return FLOATS[spec.dtype]
        both = spec.align | (line * FLOATS[spec.dtype] if rows else 0) | 16
        return both & -both

    def launched(self, rows, columns, parts, line=False):
        """Extents of such a tensor as a launch passes it."""
        if line:
            return (self.rows * self.columns,)
        lines = self.rows if rows else 1
        across = self.columns if columns else 1
        shared = parts > 1 and columns
        return (lines, parts, across // parts) if shared else (lines, across)
