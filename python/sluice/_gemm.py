"""Matrix products: the kernel is built for the configuration of the operands, once."""

from ._build import build
from ._library import SluiceError

_NAMES = {"torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float32": "f32"}
_kernels = {}  # by configuration
_recent = {}  # by the exact operands: what kernel_for() found for them
_MOST_RECENT = 4096  # entries of it


def _layout(name, t):
    """row or col, by the dimension that is contiguous; and the stride of the other one."""
    rows, cols = t.shape
    first, second = t.stride()
    if second == 1 or cols <= 1:
        return "row", first
    if first == 1 or rows <= 1:
        return "col", second
    raise SluiceError(f"gemm, tensor {name}: neither dimension is contiguous; use .contiguous()")


def _unit(t, leading):
    """Elements, a power of two up to 8, that divide its address and the stride of its lines."""
    size = t.element_size()
    both = t.data_ptr() | leading * size | 16
    return max((both & -both) // size, 1)


def _representative(extent, unit):
    """An extent of the same order of size that is a multiple of `unit` elements and no more."""
    size = 64
    while size < extent and size < 16384:
        size *= 2
    return size if unit >= 8 else size + unit


def _check(a, b, bias):
    if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
        raise SluiceError(f"gemm takes A[M,K] and B[K,N], not {list(a.shape)} and {list(b.shape)}")
    if bias is not None and tuple(bias.shape) not in ((b.shape[1],), (1, b.shape[1])):
        raise SluiceError(f"gemm takes a bias of [{b.shape[1]}], not {list(bias.shape)}")
    if a.dtype != b.dtype or str(a.dtype) not in ("torch.float16", "torch.bfloat16"):
        raise SluiceError("gemm takes A and B both of float16 or both of bfloat16, not "
                          f"{a.dtype} and {b.dtype}")


def _epilogue(bias, activation):
    if bias is None and activation is None:
        return "none"
    if bias is None:
        raise SluiceError(f"gemm: activation {activation!r} needs a bias")
    if activation not in (None, "relu", "gelu"):
        raise SluiceError(f"gemm: activation is None, 'relu' or 'gelu', not {activation!r}")
    return "bias_" + activation if activation else "bias"


def _units(a, b, bias, c, layouts, leading):
    """Of M, N and K: what divides the lines of every tensor that they lead."""
    units = {"M": 8, "N": 8, "K": 8}
    led_by = {"a": {"row": "K", "col": "M"}, "b": {"row": "N", "col": "K"}}
    for name, t in (("a", a), ("b", b)):
        symbol = led_by[name][layouts[name]]
        units[symbol] = min(units[symbol], _unit(t, leading[name]))
    if bias is not None:
        units["N"] = min(units["N"], _unit(bias, 0))
    if c is not None:
        units["N"] = min(units["N"], _unit(c, c.stride()[0]))
    elif b.shape[1]:
        units["N"] = min(units["N"], b.shape[1] & -b.shape[1])
    return units


def kernel_for(a, b, bias=None, *, activation=None, out=None, out_dtype=None, **settings):
    """The kernel that gemm() would launch, built now if it has to be."""
    _check(a, b, bias)
    layouts, leading = {}, {}
    for name, t in (("a", a), ("b", b)):
        layouts[name], leading[name] = _layout(name.upper(), t)
    out_name = _NAMES.get(str(out.dtype if out is not None else out_dtype or a.dtype))
    if out_name is None:
        raise SluiceError(f"gemm writes float16, bfloat16 or float32, not {out_dtype or out.dtype}")
    units = _units(a, b, bias, out, layouts, leading)
    extents = {"M": a.shape[0], "N": b.shape[1], "K": a.shape[1]}
    wanted = {s: _representative(extents[s], units[s]) for s in extents}
    if not settings:
        settings = {"plan": "yes"}
    wanted.update(dtype=_NAMES[str(a.dtype)], out=out_name, a=layouts["a"], b=layouts["b"],
                  epilogue=_epilogue(bias, activation), **settings)
    key = tuple(wanted.items())
    if key not in _kernels:
        _kernels[key] = build("gemm", wanted)
    return _kernels[key]


def _operand(t):
    """All of a tensor that kernel_for() looks at."""
    return None if t is None else (t.dtype, t.shape, t.stride(), t.data_ptr() & 15)


def _recall(a, b, bias, activation, out, out_dtype, settings):
    key = (_operand(a), _operand(b), _operand(bias), _operand(out), activation, out_dtype,
           *settings.items())
    kernel = _recent.get(key)
    if kernel is None:
        kernel = kernel_for(a, b, bias, activation=activation, out=out, out_dtype=out_dtype,
                            **settings)
        if len(_recent) >= _MOST_RECENT:
            _recent.clear()
        _recent[key] = kernel
    return kernel


def gemm(a, b, bias=None, *, activation=None, out=None, out_dtype=None, **settings):
    """a @ b, or activation(a @ b + bias), accumulated in float32, on PyTorch's current stream.

    One kernel serves all extents of the same order of size, types, layouts and alignment. It is
    built at its first use (under a second) and kept on disk, with the settings that `sluice plan`
    puts first; or with `settings`, those of `sluice explain gemm`: bm, bn, bk, stages, mode,
    cluster, group.
    """
    kernel = _recall(a, b, bias, activation, out, out_dtype, settings)
    inputs = (a, b) if bias is None else (a, b, bias if len(bias.shape) == 2 else bias[None])
    if out is None:
        return kernel(*inputs)
    kernel(*inputs, out=out)
    return out
