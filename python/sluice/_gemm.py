"""Matrix products: the kernel is built for the configuration of the operands, once."""

from ._build import build
from ._library import SluiceError

_OPERANDS = {"torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float32": "tf32",
             "torch.float8_e4m3fn": "e4m3", "torch.float8_e5m2": "e5m2", "torch.int8": "s8"}
_RESULTS = {"torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float32": "f32",
            "torch.int32": "s32"}
_AUTO = {"tf32": "f32", "e4m3": "bf16", "e5m2": "bf16", "s8": "s32"}  # others: their own
_SIZES = {"f16": 2, "bf16": 2, "f32": 4, "s32": 4}
_WHOLE = 16  # elements that make 16 bytes of any type
_kernels = {}  # by configuration
_recent = {}  # by the exact operands: what kernel_for() found for them
_MOST_RECENT = 4096  # entries of it


def _layout(name, t, preferred="row"):
    """row or col, by the dimension that is contiguous; and the stride of the other one."""
    rows, cols = t.shape
    first, second = t.stride()
    by = {"row": (second == 1 or cols <= 1, first), "col": (first == 1 or rows <= 1, second)}
    for layout in (preferred, "row", "col"):
        if by[layout][0]:
            return layout, by[layout][1]
    raise SluiceError(f"gemm, tensor {name}: neither dimension is contiguous; use .contiguous()")


def _unit(address, leading, size):
    """Elements, a power of two, that divide the address and the stride of lines; _WHOLE where both
    are multiples of 16 bytes."""
    both = address | leading * size | 16
    low = both & -both
    return _WHOLE if low == 16 else max(low // size, 1)


def _representative(extent, unit):
    """An extent of the same order of size that is a multiple of `unit` elements and no more."""
    size = 64
    while size < extent and size < 16384:
        size *= 2
    return size if unit >= _WHOLE else size + unit


def _check(a, b, bias):
    if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
        raise SluiceError(f"gemm takes A[M,K] and B[K,N], not {list(a.shape)} and {list(b.shape)}")
    if bias is not None and tuple(bias.shape) not in ((b.shape[1],), (1, b.shape[1])):
        raise SluiceError(f"gemm takes a bias of [{b.shape[1]}], not {list(bias.shape)}")
    if a.dtype != b.dtype or str(a.dtype) not in _OPERANDS:
        raise SluiceError("gemm takes A and B of one type, float16, bfloat16, float32, "
                          f"float8_e4m3fn, float8_e5m2 or int8, not {a.dtype} and {b.dtype}")


def _epilogue(bias, activation):
    if bias is None and activation is None:
        return "none"
    if bias is None:
        raise SluiceError(f"gemm: activation {activation!r} needs a bias")
    if activation not in (None, "relu", "gelu"):
        raise SluiceError(f"gemm: activation is None, 'relu' or 'gelu', not {activation!r}")
    return "bias_" + activation if activation else "bias"


def _layouts(a, b):
    """Layouts of the operands and their leading strides."""
    half = str(a.dtype) in ("torch.float16", "torch.bfloat16")
    layouts, leading = {}, {}
    for name, t, preferred in (("a", a, "row"), ("b", b, "row" if half else "col")):
        layouts[name], leading[name] = _layout(name.upper(), t, preferred)
        if not half and layouts[name] != preferred:
            raise SluiceError(f"gemm of {a.dtype} takes A by rows and B by columns, such as a "
                              "[N,K] weight's .t(): tensor core products transpose 16-bit types "
                              "only")
    return layouts, leading


def _units(a, b, bias, c, layouts, leading, out_size):
    """Of M, N and K: what divides the lines of every tensor that they lead."""
    units = {"M": _WHOLE, "N": _WHOLE, "K": _WHOLE}
    led_by = {"a": {"row": "K", "col": "M"}, "b": {"row": "N", "col": "K"}}
    for name, t in (("a", a), ("b", b)):
        symbol = led_by[name][layouts[name]]
        units[symbol] = min(units[symbol], _unit(t.data_ptr(), leading[name], t.element_size()))
    if bias is not None:
        units["N"] = min(units["N"], _unit(bias.data_ptr(), 0, bias.element_size()))
    address, lines = (c.data_ptr(), c.stride()[0]) if c is not None else (0, b.shape[1])
    units["N"] = min(units["N"], _unit(address, lines, out_size))
    return units


def kernel_for(a, b, bias=None, *, activation=None, out=None, out_dtype=None, **settings):
    """The kernel that gemm() would launch, built now if it has to be."""
    _check(a, b, bias)
    layouts, leading = _layouts(a, b)
    dtype = _OPERANDS[str(a.dtype)]
    wished = out.dtype if out is not None else out_dtype
    out_name = _RESULTS.get(str(wished)) if wished is not None else _AUTO.get(dtype, dtype)
    if out_name is None:
        raise SluiceError(f"gemm writes float16, bfloat16, float32 or int32, not {wished}")
    units = _units(a, b, bias, out, layouts, leading, _SIZES[out_name])
    extents = {"M": a.shape[0], "N": b.shape[1], "K": a.shape[1]}
    wanted = {s: _representative(extents[s], units[s]) for s in extents}
    if not settings:
        settings = {"plan": "yes"}
    wanted.update(dtype=dtype, out=out_name, a=layouts["a"], b=layouts["b"],
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

    float32 is multiplied as tf32: of each operand's 23 bits of mantissa 10 count. int8 is summed in
    int32. What is not of 16 bits needs a by rows and b by columns. The result is of the operands'
    type, of float8 in bfloat16 and of int8 in int32, or of out_dtype.

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
