"""The tensors that a fused function is called with once, to see what it does."""

import os
import sys

from ._graph import Graph
from ._library import SluiceError

_HERE = os.path.dirname(os.path.abspath(__file__))
FLOATS = {"f32": 4, "f16": 2, "bf16": 2}  # bytes
_NAMES = {"float32": "f32", "float": "f32", "float16": "f16", "half": "f16", "bfloat16": "bf16"}
_NUMBERS = (int, float)


def type_name(dtype):
    """f32, f16 or bf16 of a type of PyTorch, of NumPy or of ours; else its own name."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = name.replace("torch.", "")
    return _NAMES.get(name, name)


def _author():
    """Where the function that is traced stands: the first frame that is not ours or PyTorch's."""
    torch = sys.modules.get("torch")
    others = (_HERE + os.sep,)
    if getattr(torch, "__path__", None):
        others += (os.path.dirname(os.path.abspath(torch.__file__)) + os.sep,)
    frame = sys._getframe(1)
    while frame and os.path.abspath(frame.f_code.co_filename).startswith(others):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "fuse"


def refuse(words):
    raise SluiceError(f"{_author()}: fuse: {words}")


class Trace:
    """One tracing: its graph, and the extents that all of it has."""

    def __init__(self, shape):
        self.graph, self.shape = Graph(), tuple(shape)

    def make(self, op, *of, value=None):
        return self.graph.node(op, *of, value=value)


class Traced:
    """Stands for a tensor. `dtype_`: f32, f16, bf16; bool of a comparison; None of a number.
    `squeezed`: without the dimension of columns, which a reduction took away."""

    def __init__(self, trace, node, shape, dtype, squeezed=False):
        self.trace, self.node, self.shape = trace, node, tuple(shape)
        self.dtype_, self.squeezed = dtype, squeezed

    # ---- What it tells ------------------------------------------------------------------------

    @property
    def dtype(self):
        torch = sys.modules.get("torch")
        names = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", None: "float32"}
        name = names.get(self.dtype_, self.dtype_)
        return getattr(torch, name, name) if torch else name

    @property
    def ndim(self):
        return len(self.shape)

    def dim(self):
        return len(self.shape)

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def __len__(self):
        refuse("len() of a tensor; x.shape has its extents")

    def __bool__(self):
        refuse("a branch on the values of a tensor: sluice.where chooses element by element")

    def __float__(self):
        refuse("float() of a tensor, whose values are not known yet")

    def __int__(self):
        refuse("int() of a tensor, whose values are not known yet")

    def __iter__(self):
        refuse("iteration over a tensor")

    def __getitem__(self, index):
        """x[..., None] and x[:, None] alone: they give a dimension of columns back."""
        whole = index if isinstance(index, tuple) else (index,)
        if self.squeezed and whole[-1] is None and all(
                i is Ellipsis or i == slice(None) for i in whole[:-1]):
            return self.unsqueeze(-1)
        refuse("indexing of a tensor")

    def __setitem__(self, index, value):
        refuse("assignment to parts of a tensor")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        function = _function(name)
        if function is None:
            refuse(f"{name} is not among what it takes")
        return lambda *given, **named: call(name, (self, *given), named)

    @classmethod
    def __torch_function__(cls, function, types, given=(), named=None):
        return call(getattr(function, "__name__", str(function)), given, named or {})

    # ---- Shapes -------------------------------------------------------------------------------

    def unsqueeze(self, dim):
        if self.squeezed and dim in (-1, len(self.shape)):
            return Traced(self.trace, self.node, (*self.shape, 1), self.dtype_)
        refuse(f"unsqueeze of dimension {dim}: behind a reduction it gives the last one back")

    def squeeze(self, dim=None):
        if not self.squeezed and not self.node.columns and dim in (-1, len(self.shape) - 1):
            return Traced(self.trace, self.node, self.shape[:-1], self.dtype_, True)
        refuse(f"squeeze of dimension {dim}: that of a reduction, the last, may go")

    def contiguous(self):
        return self

    # ---- Types --------------------------------------------------------------------------------

    def to(self, dtype):
        """Rounded to that type, as it stands there."""
        if isinstance(dtype, Traced):
            dtype = dtype.dtype_
        name = type_name(dtype)
        if name not in FLOATS:
            refuse(f"a cast to {name}: types are f32, f16 and bf16")
        if self.dtype_ == "bool":
            one, zero = self.trace.graph.constant(1), self.trace.graph.constant(0)
            node = self.trace.make("where", self.node, one, zero)
        elif FLOATS[name] == 4 or name == self.dtype_:
            node = self.node
        else:
            node = self.trace.make("round", self.node, value=name)
        return Traced(self.trace, node, self.shape, name, self.squeezed)

    type = type_as = to

    def float(self):
        return self.to("f32")

    def half(self):
        return self.to("f16")

    def bfloat16(self):
        return self.to("bf16")


def _function(name):
    from ._functions import FUNCTIONS
    return FUNCTIONS.get(name)


def call(name, given, named):
    """The function of that name, of PyTorch or ours."""
    function = _function(name)
    if function is None:
        refuse(f"{name} is not among what it takes")
    try:
        return function(*given, **named)
    except TypeError as e:
        refuse(str(e) if name in str(e) else f"{name}: {e}")


# ---- Operations -------------------------------------------------------------------------------

def traced(given, name):
    """The trace that these belong to; refuses what is neither traced nor a number."""
    found = next((x.trace for x in given if isinstance(x, Traced)), None)
    if found is None:
        raise SluiceError(f"sluice.{name} computes within a function that sluice.fuse has taken")
    for x in given:
        if not isinstance(x, (Traced, *_NUMBERS)):
            kind = type(x).__name__
            refuse(f"{name} of a {kind} from outside of the function; give it as an argument"
                   if hasattr(x, "shape") else f"{name} of a {kind}")
    return found


def _broadcast(shapes, name):
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    joined = []
    for extents in zip(*padded):
        wide = {e for e in extents if e != 1}
        if len(wide) > 1:
            refuse(f"{name} of {' and '.join(str(list(s)) for s in shapes)}")
        joined.append(wide.pop() if wide else 1)
    return tuple(joined)


def _joined_type(tensors):
    """As PyTorch: the wider type; of f16 and bf16, f32. Numbers have none."""
    types = {t.dtype_ for t in tensors} - {None}
    return types.pop() if len(types) == 1 else ("f32" if types else None)


def element(name, op, *given, dtype=None, value=None):
    """An operation element by element, on tensors and numbers."""
    trace = traced(given, name)
    tensors = [x for x in given if isinstance(x, Traced)]
    shaped = [t for t in tensors if t.shape]
    if len({t.squeezed for t in shaped}) > 1:
        refuse(f"{name} of {' and '.join(str(list(t.shape)) for t in shaped)}: a reduction with "
               "keepdim=True keeps rows beside rows")
    shape = _broadcast([t.shape for t in tensors], name)
    nodes = [x.node if isinstance(x, Traced) else trace.graph.constant(x) for x in given]
    numbers = [t for t in tensors if t.dtype_ != "bool"]
    if dtype != "bool" and any(t.dtype_ == "bool" for t in tensors) and op != "where":
        refuse(f"{name} of truth values: sluice.where chooses by them")
    node = trace.make(op, *nodes, value=value)
    squeezed = all(t.squeezed for t in shaped) if shaped else node.rows
    return Traced(trace, node, shape, dtype or _joined_type(numbers) or
                  ("f32" if op == "where" else None), squeezed)


def reduction(name, x, dim, keepdim, make):
    """make(node) of the last dimension."""
    traced((x,), name)
    if isinstance(dim, (list, tuple)) and len(dim) == 1:
        dim = dim[0]
    if x.dtype_ == "bool":
        refuse(f"{name} of truth values: sluice.where chooses by them")
    if dim is None:
        refuse(f"{name} of all elements: give the last dimension, dim=-1")
    if not isinstance(dim, int) or isinstance(dim, bool) or x.squeezed or \
            dim not in (-1, len(x.shape) - 1) or not x.shape:
        refuse(f"{name} along dimension {dim} of {list(x.shape)}: reductions go along the last one")
    if not x.node.columns:
        refuse(f"{name} of {list(x.shape)}: there is one number a row")
    if not x.node.rows:
        refuse(f"{name} of {list(x.shape)}, which is the same for all rows")
    node = make(x.node)
    kept = x.shape[:-1] + ((1,) if keepdim else ())
    return Traced(x.trace, node, kept, x.dtype_, not keepdim)
