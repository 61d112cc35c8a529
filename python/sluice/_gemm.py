"""Matrix products: the kernel is built for the plan of the operands, once."""

from ._build import build, plan
from ._classes import Recent, identity
from ._library import SluiceError

_OPERANDS = {"torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float32": "tf32",
             "torch.float8_e4m3fn": "e4m3", "torch.float8_e5m2": "e5m2", "torch.int8": "s8"}
_FLOAT8 = {"torch.float8_e4m3fn", "torch.float8_e5m2"}  # also with each other
_RESULTS = {"torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float32": "f32",
            "torch.int32": "s32"}
_AUTO = {"tf32": "f32", "e4m3": "bf16", "e5m2": "bf16", "s8": "s32"}  # others: their own
_SIZES = {"f16": 2, "bf16": 2, "f32": 4, "s32": 4}
_WHOLE = 16  # elements that make 16 bytes of any type
_kernels = {}  # by all of their parameters
_plans = Recent()  # by the parameters and extents that were planned
_recent = Recent()  # what kernel_for() found for exact operands
_MOST_PRODUCTS = 65535  # side by side
_NO_EXTRAS = (None, None, None, None)  # bias, residual, row_scale, col_scale


def _layout(name, t, preferred="row"):
    """row or col, by the dimension that is contiguous; and the other strides, as bits."""
    rows, cols = t.shape[-2:]
    *batch, first, second = t.stride()
    others = batch[0] if batch and t.shape[0] > 1 else 0
    by = {"row": (second == 1 or cols <= 1, first), "col": (first == 1 or rows <= 1, second)}
    for layout in (preferred, "row", "col"):
        contiguous, leading = by[layout]
        if contiguous:
            return layout, leading | others
    raise SluiceError(f"gemm, tensor {name}: neither dimension is contiguous; use .contiguous()")


def _unit(address, strides, size):
    """Elements, a power of two, that divide the address and the strides; _WHOLE where both are
    multiples of 16 bytes."""
    both = address | strides * size | 16
    low = both & -both
    return _WHOLE if low == 16 else max(low // size, 1)


def _as_aligned(extent, unit):
    """The nearest extent whose rows are aligned as the tensors' are, which may be parts of others:
    that many elements, a power of two, divide it and no more."""
    if unit >= _WHOLE:
        return extent if extent and extent % 8 == 0 else (extent // _WHOLE + 1) * _WHOLE
    return extent if extent & -extent == unit else extent // _WHOLE * _WHOLE + unit


def _representative(extent, unit):
    """For settings that were given, which may leave the order of tiles to the extents: one of the
    same order of size."""
    size = 64
    while size < extent and size < 16384:
        size *= 2
    return size if unit >= _WHOLE else size + unit


def _of_class(unit, depth=None):
    """An extent that stands for all of that alignment; `depth`: of K, in whose order of size the
    code differs (kernels/Gemm.cpp: tiles of few steps are not stored box by box)."""
    size = 4096 if depth is None else \
        next((least for least in (1024, 512, 256, 128) if depth >= least), 64)
    return size if unit >= _WHOLE else size + unit


def _check(a, b, extras):
    rank, n = len(a.shape), b.shape[-1]
    fits = rank in (2, 3) and len(b.shape) == rank and a.shape[-1] == b.shape[-2]
    if not fits or (rank == 3 and a.shape[0] != b.shape[0]):
        raise SluiceError("gemm takes A[M,K] and B[K,N], or both with a batch before, not "
                          f"{list(a.shape)} and {list(b.shape)}")
    types = {str(a.dtype), str(b.dtype)}
    if not (types <= _FLOAT8 or len(types) == 1 and types <= _OPERANDS.keys()):
        raise SluiceError("gemm takes A and B of one type, float16, bfloat16, float32, "
                          "float8_e4m3fn, float8_e5m2 or int8, or the two of float8, not "
                          f"{a.dtype} and {b.dtype}")
    bias, residual, row_scale, col_scale = extras
    batch, m = tuple(a.shape[:-2]), a.shape[-2]
    for name, t, shapes in (
            ("a bias", bias, ((n,), (1, n))), ("a residual", residual, ((*batch, m, n),)),
            ("a row_scale", row_scale, ((*batch, m), (*batch, m, 1))),
            ("a col_scale", col_scale, ((*batch, n), (*batch, 1, n)))):
        if t is not None and tuple(t.shape) not in shapes:
            raise SluiceError(f"gemm takes {name} of {list(shapes[0])}, not {list(t.shape)}")


def _epilogue(bias, activation):
    if activation not in (None, "relu", "gelu"):
        raise SluiceError(f"gemm: activation is None, 'relu' or 'gelu', not {activation!r}")
    words = ["bias"] * (bias is not None) + [activation] * (activation is not None)
    return "_".join(words) or "none"


def _layouts(a, b):
    """Layouts of the operands and their other strides."""
    half = str(a.dtype) in ("torch.float16", "torch.bfloat16")
    layouts, strides = {}, {}
    for name, t, preferred in (("a", a, "row"), ("b", b, "row" if half else "col")):
        layouts[name], strides[name] = _layout(name.upper(), t, preferred)
        if not half and layouts[name] != preferred:
            raise SluiceError(f"gemm of {a.dtype} takes A by rows and B by columns, such as a "
                              "[N,K] weight's .t(): tensor core products transpose 16-bit types "
                              "only")
    return layouts, strides


def _scales(row_scale, col_scale):
    if row_scale is None:
        return "no" if col_scale is None else "col"
    return "row" if col_scale is None else "both"


def _units(a, b, extras, c, layouts, strides, out_size):
    """Of M, N and K: what divides the lines of every tensor that they lead."""
    units = {"M": _WHOLE, "N": _WHOLE, "K": _WHOLE}
    led_by = {"a": {"row": "K", "col": "M"}, "b": {"row": "N", "col": "K"}}
    for name, t in (("a", a), ("b", b)):
        symbol = led_by[name][layouts[name]]
        units[symbol] = min(units[symbol], _unit(t.data_ptr(), strides[name], t.element_size()))
    bias, residual, _, col_scale = extras
    for t in (bias, col_scale):
        if t is not None:
            units["N"] = min(units["N"], _unit(t.data_ptr(), 0, t.element_size()))
    for name, t in (("R", residual), ("C", c)):
        if t is not None:
            lines = _layout(name, t)[1]
            units["N"] = min(units["N"], _unit(t.data_ptr(), lines, t.element_size()))
    if c is None:
        units["N"] = min(units["N"], _unit(0, b.shape[-1], out_size))
    return units


def _in_place(residual, out):
    """Whether C begins where the residual does; the launch compares the rest."""
    return residual is not None and out is not None and residual.data_ptr() == out.data_ptr()


def _wanted(a, b, extras, factors, activation, out, out_dtype):
    """The kernel's parameters for these operands."""
    bias, residual, row_scale, col_scale = extras
    layouts, strides = _layouts(a, b)
    dtype = _OPERANDS[str(a.dtype)]
    wished = out.dtype if out is not None else out_dtype
    out_name = _RESULTS.get(str(wished)) if wished is not None else _AUTO.get(dtype, dtype)
    if out_name is None:
        raise SluiceError(f"gemm writes float16, bfloat16, float32 or int32, not {wished}")
    units = _units(a, b, extras, out, layouts, strides, _SIZES[out_name])
    wanted = dict(dtype=dtype, out=out_name, a=layouts["a"], b=layouts["b"],
                  epilogue=_epilogue(bias, activation), scales=_scales(row_scale, col_scale))
    if a.dtype != b.dtype:
        wanted["b_dtype"] = _OPERANDS[str(b.dtype)]
    for name, asked in (("residual", residual is not None), ("alpha", factors[0]),
                        ("beta", factors[1]), ("in_place", _in_place(residual, out))):
        if asked:
            wanted[name] = "yes"
    return wanted, units


def _planned(wanted, extents, units):
    """What the planner chooses for these extents, and extents that stand for all so aligned."""
    aligned = {s: _as_aligned(extents[s], units[s]) for s in "MNK"}
    asked = {**wanted, **extents, **aligned}
    key = tuple(asked.items())
    chosen = _plans.get(key) or _plans.keep(key, plan("gemm", asked))
    found = {**wanted, **chosen, "M": _of_class(units["M"]), "N": _of_class(units["N"]),
             "K": _of_class(units["K"], extents["K"])}
    return {**found, "batch": 2} if "batch" in extents else found


def kernel_for(a, b, bias=None, *, residual=None, alpha=None, beta=None, row_scale=None,
               col_scale=None, activation=None, out=None, out_dtype=None, **settings):
    """The kernel that gemm() would launch, built now if it has to be."""
    extras = (bias, residual, row_scale, col_scale)
    _check(a, b, extras)
    if beta is not None and residual is None:
        raise SluiceError("gemm: beta is the factor of residual; give residual=")
    wanted, units = _wanted(a, b, extras, (alpha is not None, beta is not None), activation, out,
                            out_dtype)
    extents = {"M": a.shape[-2], "N": b.shape[-1], "K": a.shape[-1]}
    if len(a.shape) == 3:
        extents["batch"] = min(max(a.shape[0], 1), _MOST_PRODUCTS)
    if settings or "in_place" in wanted:
        # In place, every launch is proven where a CTA takes one tile; a plan may ask for more.
        wanted.update(settings, **{s: _representative(extents[s], units[s]) for s in "MNK"})
        if "batch" in extents:
            wanted["batch"] = 2
    else:
        wanted = _planned(wanted, extents, units)
    key = tuple(wanted.items())
    if key not in _kernels:
        _kernels[key] = build("gemm", wanted)
    return _kernels[key]


def _as_tensors(extras, rank):
    """Those that there are, vectors as the kernel takes them: 1xN and Mx1."""
    bias, residual, row_scale, col_scale = extras
    if residual is row_scale is col_scale is None:
        return (bias if len(bias.shape) == 2 else bias.unsqueeze(0),)
    return [t if dim is None or len(t.shape) == wanted else t.unsqueeze(dim)
            for t, wanted, dim in ((bias, 2, 0), (residual, rank, None), (row_scale, rank, -1),
                                   (col_scale, rank, -2)) if t is not None]


def _rows(name, t):
    """The matrices of a batch as one, row under row."""
    if t is None or len(t.shape) != 3:
        return t
    if t.shape[0] > 1 and t.stride()[0] != t.shape[1] * t.stride()[1]:
        raise SluiceError(f"gemm, tensor {name}: where B is one matrix for all, those of the batch "
                          "must lie one behind the other; use .contiguous()")
    return t.view(t.shape[0] * t.shape[1], t.shape[2])


def gemm(a, b, bias=None, *, residual=None, alpha=None, beta=None, row_scale=None, col_scale=None,
         activation=None, out=None, out_dtype=None, **settings):
    """activation(alpha * row_scale * col_scale * (a @ b) + beta * residual + bias), every part
    of it if it is given, accumulated in float32, on PyTorch's current stream. Tensors of three
    dimensions are batches; a batch times one matrix is the product of all its rows.

    alpha and beta are numbers, row_scale[M] and col_scale[N] float32, bias[N] and residual of the
    type of the result. `out` may be the residual itself, which C then overwrites as in BLAS; it
    shares no memory with anything else. The two types of float8 may be mixed. float32 is
    multiplied as tf32: of each operand's 23 bits of mantissa 10 count. int8 is summed in int32.
    What is not of 16 bits needs a by rows and b by columns. The result is of the operands' type, of
    float8 in bfloat16 and of int8 in int32, or of out_dtype.

    `sluice plan` chooses for the extents at hand, and one kernel serves all operands of its choice,
    types, layouts and alignment. It is built at its first use (under a second) and kept on disk; or
    with `settings`, those of `sluice explain gemm`: bm, bn, bk, stages, mode, cluster, group.
    """
    tensors, extras, inputs, arguments = (a, b), _NO_EXTRAS, (a, b), ()
    if not (bias is residual is row_scale is col_scale is None):
        extras = (bias, residual, row_scale, col_scale)
        tensors += tuple([t for t in extras if t is not None])
    if out is not None:
        tensors += (out,)
    if not (alpha is beta is None):
        arguments = tuple([x for x in (alpha, beta) if x is not None])
    key = (identity(tensors, "gemm"), activation, out_dtype, out is None, alpha is None,
           beta is None, *[t is None for t in extras],
           residual is not None and _in_place(residual, out), *settings.items())
    kernel = _recent.get(key)
    if kernel is None:
        if len(a.shape) == 3 and len(b.shape) == 2:
            return _one_matrix_for_all(a, b, extras, (alpha, beta), activation, out, out_dtype,
                                       settings)
        kernel = kernel_for(a, b, bias, residual=residual, alpha=alpha, beta=beta,
                            row_scale=row_scale, col_scale=col_scale, activation=activation,
                            out=out, out_dtype=out_dtype, **settings)
        _recent.keep(key, kernel)
    if extras is not _NO_EXTRAS:
        inputs = (a, b, *_as_tensors(extras, len(a.shape)))
    if out is None:
        return kernel(*inputs, arguments=arguments)
    kernel(*inputs, out=out, arguments=arguments)
    return out


def _one_matrix_for_all(a, b, extras, factors, activation, out, out_dtype, settings):
    bias, residual, row_scale, col_scale = extras
    c = gemm(_rows("A", a), b, bias, residual=_rows("residual", residual), alpha=factors[0],
             beta=factors[1], row_scale=None if row_scale is None else row_scale.reshape(-1),
             col_scale=col_scale, activation=activation, out=_rows("C", out), out_dtype=out_dtype,
             **settings)
    return out if out is not None else c.view(a.shape[0], a.shape[1], b.shape[1])
