"""Functions of tensors as kernels along rows: traced, planned, proven and built once for each class
of shapes."""

import functools
import inspect
import keyword
import re
import sys
from typing import NamedTuple

from . import _build
from ._classes import Recent, identity
from ._frame import Frame, Spec, is_dense
from ._graph import lowered, reduces
from ._library import SluiceError
from ._program import Program
from ._rows import Operand, plan
from ._trace import Trace, Traced, refuse, type_name

_KERNEL = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# What C++ and the printed text know by these names already.
_TAKEN = {"float", "double", "int", "char", "short", "long", "new", "delete", "this", "default",
          "register", "template", "typename", "namespace", "operator", "using", "auto", "switch",
          "case", "do", "struct", "union", "void", "unsigned", "signed", "const", "static"}


class _Plain(NamedTuple):
    """A traced function, and the text that it became."""

    name: str
    frame: Frame
    operands: list  # Operand
    outputs: list
    results: list  # Traced
    scalars: list  # names of arguments
    plan: object
    text: str

    def launched(self, o):
        return self.frame.launched(o.rows, o.columns, 1 if self.plan.row else self.plan.parts,
                                   self.plan.line)


class _Launch(NamedTuple):
    """All that a call with such operands does."""

    kernel: object
    inputs: list  # extents that each tensor is viewed with, None: as it is
    outputs: list  # extents of the caller's, type, extents of the kernel's
    several: bool


class Fused:
    """A function of tensors. Call it with tensors of PyTorch: what it computes is one kernel, built
    at the first use for each class of shapes. A float among its arguments is given at the launch;
    all else is part of the kernel."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function = function
        self._parameters = inspect.signature(function)
        for p in self._parameters.parameters.values():
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                raise SluiceError(f"fuse of {function.__name__}: it takes *{p.name}; its tensors "
                                  "have names")
        self._names = list(self._parameters.parameters)
        self._recent, self._kernels = Recent(), {}

    def __repr__(self):
        return f"<sluice.fuse {self.__name__}>"

    # ---- Without a GPU ----------------------------------------------------------------------

    def program(self, *given, dtype="bf16", **named):
        """The text at the tile level for tensors of these shapes: tuples of extents (of `dtype`),
        or sluice.Spec."""
        return self._plain(self._specs(given, named, dtype)).text

    def plan(self, *given, dtype="bf16", **named):
        """How rows of these shapes are dealt out, in a line."""
        return str(self._plain(self._specs(given, named, dtype)).plan)

    def source(self, *given, dtype="bf16", **named):
        """The CUDA C++ of the kernel for these shapes, which is proven first."""
        bound = self._specs(given, named, dtype)
        made = self._plain(bound)
        return _build.emit(made.text, made.name, _sets_of_class(made, bound))

    def run(self, *given, dtype=None, **named):
        """Computed by the virtual machine, of arrays of NumPy, or of lists in lists as f32 (or
        `dtype`, to which they are rounded). The results are of the same kind."""
        from ._arrays import Array, is_array
        bound = self._bound(given, named)
        arrays = {name: Array.of(value, dtype) for name, value in bound.items() if is_array(value)}
        bound.update((name, Spec(a.shape, a.dtype)) for name, a in arrays.items())
        made = self._plain(bound)
        shaped = {o.name: arrays[name].reshaped(made.launched(o))
                  for name, o in zip(arrays, made.operands)}
        files = _build.simulate(made.text, made.name, _sets(made, bound), shaped,
                                [o.name for o in made.outputs])
        like = next((a for a in arrays.values() if a.numpy), None)
        results = [f.given_back(r.shape, like) for f, r in zip(files, made.results)]
        return tuple(results) if len(results) > 1 else results[0]

    # ---- Tracing ----------------------------------------------------------------------------

    def _bound(self, given, named):
        if not named and len(given) == len(self._names):
            return dict(zip(self._names, given))
        try:
            bound = self._parameters.bind(*given, **named)
        except TypeError as e:
            raise SluiceError(f"{self.__name__}: {e}") from None
        bound.apply_defaults()
        return dict(bound.arguments)

    def _specs(self, given, named, dtype):
        bound = self._bound(given, named)
        for name, value in bound.items():
            if isinstance(value, tuple) and not isinstance(value, Spec):
                bound[name] = Spec(value, type_name(dtype))
        return bound

    def _plain(self, bound, outs=None):
        """Traced and planned. `bound`: by the function's names a Spec, a number, or what is part of
        the kernel. `outs`: Specs of the results that the caller has, None: new ones."""
        specs = {name: s for name, s in bound.items() if isinstance(s, Spec)}
        if not specs:
            raise SluiceError(f"fuse of {self.__name__}: it takes no tensor")
        frame = Frame(self.__name__, specs)
        names = _Names()
        operands = [Operand(names.new(name), s.dtype, *frame.varies(s), frame.align(name, s))
                    for name, s in specs.items()]
        results, scalars = self._results(frame, bound, specs, names)
        outputs = self._outputs(frame, results, outs, names)
        line = _is_line([*specs.values(), *(outs or [])], operands, outputs, results)
        made = plan([r.node for r in results], operands, outputs, frame.rows, frame.columns, line)
        nodes = lowered([r.node for r in results], made.held, made.parts > 1)
        text = Program(_kernel_name(self.__name__), made, operands, outputs, scalars, nodes).text()
        return _Plain(_kernel_name(self.__name__), frame, operands, outputs, results, scalars, made,
                      text)

    def _results(self, frame, bound, specs, names):
        trace = Trace(frame.shape)
        given, scalars, position = {}, [], 0
        for name, value in bound.items():
            if name in specs:
                rows, columns = frame.varies(specs[name])
                node = trace.graph.node("input", value=position, rows=rows, columns=columns)
                given[name] = Traced(trace, node, value.shape, value.dtype)
                position += 1
            elif type(value) is float:
                scalars.append(names.new(name))
                node = trace.graph.node("argument", value=scalars[-1])
                given[name] = Traced(trace, node, (), None)
            else:
                given[name] = value
        made = self._function(**given)
        results = list(made) if isinstance(made, (tuple, list)) else [made]
        for r in results:
            self._check(r)
        return results, scalars

    def _check(self, result):
        about = f"fuse of {self.__name__}: "
        if not isinstance(result, Traced):
            raise SluiceError(about + f"it gives a {type(result).__name__}, not a tensor")
        if result.dtype_ in ("bool", None):
            raise SluiceError(about + "it gives truth values; cast them with .to()"
                              if result.dtype_ else about + "it gives a number that it was given")
        if not result.node.rows:
            raise SluiceError(about + f"a result of {list(result.shape)} is the same for all rows")

    def _outputs(self, frame, results, outs, names):
        if outs is not None and len(outs) != len(results):
            raise SluiceError(f"fuse of {self.__name__}: it gives {len(results)} results, and out= "
                              f"has {len(outs)}")
        outputs = []
        for i, r in enumerate(results):
            spec = outs[i] if outs else Spec(r.shape, r.dtype_)
            name = names.new("y" if len(results) == 1 else f"y{i}")
            if (tuple(spec.shape), spec.dtype) != (tuple(r.shape), r.dtype_):
                raise SluiceError(f"fuse of {self.__name__}: result {i} is {r.dtype_} "
                                  f"{list(r.shape)}, and out= is {spec.dtype} {list(spec.shape)}")
            wide = spec if not r.squeezed else spec._replace(
                shape=(*spec.shape, 1), strides=spec.strides and (*spec.strides, 1))
            outputs.append(Operand(name, r.dtype_, True, r.node.columns, frame.align(name, wide)))
        return outputs

    # ---- Launching --------------------------------------------------------------------------

    def __call__(self, *given, out=None, **named):
        bound = self._bound(given, named)
        tensors, numbers, others = [], [], []
        for name, value in bound.items():
            if hasattr(value, "data_ptr"):
                tensors.append(value)
            elif type(value) is float:
                numbers.append(value)
                others.append((name, float))
            else:
                others.append((name, type(value), value))
        outs = () if out is None else tuple(out) if isinstance(out, (tuple, list)) else (out,)
        self._without_gradient((*tensors, *outs))
        key = (identity((*tensors, *outs), f"fuse of {self.__name__}"), len(outs), *others)
        launch = self._recent.get(key) or self._recent.keep(key, self._made(bound, outs))
        inputs = [t if shape is None else t.view(*shape)
                  for t, shape in zip(tensors, launch.inputs)]
        made = outs or tuple([_empty(shape, dtype, tensors[0].device)
                              for shape, dtype, _ in launch.outputs])
        if launch.kernel:
            views = tuple([t if shape is None else t.view(*shape)
                           for t, (_, _, shape) in zip(made, launch.outputs)])
            launch.kernel(*inputs, out=views, arguments=tuple(numbers))
        if out is not None:
            return out
        return made if launch.several else made[0]

    def kernel_for(self, *given, out=None, **named):
        """The kernel that a call with these would launch, built now if it has to be."""
        bound = self._bound(given, named)
        outs = () if out is None else tuple(out) if isinstance(out, (tuple, list)) else (out,)
        return self._made(bound, outs).kernel

    def _without_gradient(self, tensors):
        if any(getattr(t, "requires_grad", False) for t in tensors):
            torch = sys.modules["torch"]
            if torch.is_grad_enabled():
                raise SluiceError(f"fuse of {self.__name__}: a tensor requires a gradient, and a "
                                  "fused function has none; call it under torch.no_grad()")

    def _made(self, bound, outs):
        described = {name: _spec(v) if hasattr(v, "data_ptr") else v for name, v in bound.items()}
        made = self._plain(described, [_spec(t) for t in outs] or None)
        specs = [s for s in described.values() if isinstance(s, Spec)]
        inputs = [_view(s.shape, made.launched(o)) for s, o in zip(specs, made.operands)]
        outputs = [(tuple(r.shape), r.dtype, _view(r.shape, made.launched(o)))
                   for r, o in zip(made.results, made.outputs)]
        empty = made.frame.rows * made.frame.columns == 0
        if empty and made.frame.rows and any(not o.columns for o in made.outputs):
            raise SluiceError(f"fuse of {self.__name__}: rows of no columns have no sum")
        kernel = None if empty else self._kernel(made, described)
        return _Launch(kernel, inputs, outputs, len(made.results) > 1)

    def _kernel(self, made, bound):
        if made.text not in self._kernels:
            self._kernels[made.text] = _build.build_text(made.text, made.name,
                                                          _sets_of_class(made, bound))
        return self._kernels[made.text]


def _is_line(specs, operands, outputs, results):
    """Whether rows are nothing to the function, and each tensor is a line of numbers that begins at
    16 bytes."""
    return (not reduces([r.node for r in results]) and all(map(is_dense, specs)) and
            all(s.align >= 16 for s in specs) and all(o.full for o in (*operands, *outputs)))


class _Names:
    """Names of tensors, each once, that C++ takes."""

    def __init__(self):
        self._used = set(_TAKEN)

    def new(self, wish):
        name = wish if _KERNEL.fullmatch(wish) and not keyword.iskeyword(wish) else "t"
        while name in self._used:
            name += "_"
        self._used.add(name)
        return name


def _kernel_name(name):
    return name if _KERNEL.fullmatch(name) and name not in _TAKEN else "fused"


def _spec(t):
    pointer = t.data_ptr() | 16
    return Spec(tuple(t.shape), type_name(t.dtype), tuple(t.stride()), pointer & -pointer)


def _view(shape, launched):
    return None if tuple(shape) == launched else launched


def _empty(shape, dtype, device):
    return sys.modules["torch"].empty(shape, dtype=dtype, device=device)


def _numbers(made, bound):
    return zip(made.scalars, (repr(v) for v in bound.values() if type(v) is float))


def _sets(made, bound):
    """Extents and numbers of a launch, as --set takes them."""
    sets = {o.name: "x".join(map(str, made.launched(o))) for o in (*made.operands, *made.outputs)}
    return {**sets, **dict(_numbers(made, bound))}


def _sets_of_class(made, bound):
    """Of one that stands for all launches of the text: one tile, whose rows begin at 16 bytes."""
    plan, sets = made.plan, {}
    for o in (*made.operands, *made.outputs):
        rows = plan.rows if o.rows else 1
        shared = plan.parts > 1 and o.columns and not plan.row
        columns = (plan.row or plan.columns) if o.columns else 1
        sets[o.name] = f"{rows}x{plan.parts}x{columns}" if shared else f"{rows}x{columns}"
    return {**sets, **dict(_numbers(made, bound))}


def fuse(function):
    """One kernel of a function of tensors: operations element by element, reductions along the last
    dimension, broadcasts of rows and columns, casts, several results."""
    return Fused(function)
