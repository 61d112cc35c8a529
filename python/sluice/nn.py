"""Norms, softmax, cross-entropy and dropout as operators of PyTorch (torch.ops.sluice), which
torch.compile sees, with their gradients. Forward norms and softmax are fused functions; dropout and
the way back of norms and cross-entropy are the catalogue's, whose sums over rows come in a fixed
order."""

import functools

import torch

from . import _functions as f
from ._build import build, plan
from ._fuse import fuse
from ._library import SluiceError

_TYPES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}
_MANY_ROWS = 1 << 16  # from so many on plans are the same

# ---- Fused functions ----------------------------------------------------------------------------


@fuse
def rms_norm_forward(x, w, eps):
    return _rms_norm(x, w, eps)[0]


@fuse
def rms_norm_saved(x, w, eps):
    return _rms_norm(x, w, eps)


def _rms_norm(x, w, eps):
    wide = x.float()
    scale = f.rsqrt(f.mean(wide * wide, -1, True) + eps)
    return (wide * scale * w).to(x), scale


@fuse
def layer_norm_forward(x, w, b, eps):
    return _layer_norm(x, w, b, eps)[0]


@fuse
def layer_norm_saved(x, w, b, eps):
    return _layer_norm(x, w, b, eps)


def _layer_norm(x, w, b, eps):
    wide = x.float()
    middle = f.mean(wide, -1, True)
    scale = f.rsqrt(f.var(wide, -1, False, True) + eps)
    return ((wide - middle) * scale * w + b).to(x), middle, scale


@fuse
def softmax_forward(x):
    return f.softmax(x, -1)


@fuse
def softmax_backward(dy, y):
    return y * (dy - f.sum(dy * y, -1, True))


@fuse
def log_softmax_forward(x):
    return f.log_softmax(x, -1)


@fuse
def log_softmax_backward(dy, y):
    return dy - f.exp(y) * f.sum(dy, -1, True)


# ---- The catalogue's kernels --------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _kernel(name, columns, dtype, settings=()):
    return build(name, {"cols": columns, "dtype": dtype, **dict(settings)})


@functools.lru_cache(maxsize=None)
def _planned(name, rows, columns, dtype, settings):
    chosen = plan(name, {"rows": rows, "cols": columns, "dtype": dtype, **dict(settings)})
    return _kernel(name, columns, dtype, tuple({**dict(settings), **chosen}.items()))


def _kernel_for(name, x, **settings):
    """As the planner has it for that many rows, rounded up to a power of two."""
    rows = min(1 << max(x.shape[0] - 1, 0).bit_length(), _MANY_ROWS)
    return _planned(name, rows, x.shape[-1], _TYPES[x.dtype], tuple(settings.items()))


def _dense(x):
    """With rows at equal distances and columns side by side."""
    return x if x.dim() == 2 and x.stride(-1) == 1 else x.contiguous()


def _rows_of(x):
    return x.contiguous().view(-1, x.shape[-1])


def _column(x):
    return x.contiguous().view(-1, 1)


def _added_up(lines, dtype):
    """The sum of lines of f32, of the type that a weight has."""
    columns = lines.shape[-1]
    summed = _kernel("sum_rows", columns, _TYPES[dtype])(lines.view(-1, columns).t())
    return summed.view(columns)


def _all_of(made):
    return list(made) if isinstance(made, tuple) else [made]


def _norm_backward(name, dy, x, w, saved):
    """dX, and the sums that dW (and dB) are of: in one launch where CTAs hold rows."""
    columns, flat, given = x.shape[-1], _rows_of(x), _rows_of(dy)
    numbers = [_column(s) for s in saved]
    kernel = _kernel_for(name, flat, weights="auto")
    dx, *sums = _all_of(kernel(flat, given, w.contiguous().view(1, columns), *numbers))
    if not sums:
        mean = (("mean", "yes" if len(saved) > 1 else "no"),)
        kernel = _kernel("norm_weights_backward", columns, _TYPES[x.dtype], mean)
        sums = _all_of(kernel(flat, given, *numbers))
    return dx.view(x.shape), [_added_up(s, w.dtype) for s in sums]


# ---- Operators ----------------------------------------------------------------------------------


def _operator(name, fake):
    """Registers torch.ops.sluice.<name>, whose outputs `fake` makes without computing."""
    def register(function):
        @functools.wraps(function)
        def run(*given, **named):
            with torch.no_grad():
                return function(*given, **named)
        operator = torch.library.custom_op(f"sluice::{name}", mutates_args=())(run)
        operator.register_fake(fake)
        return operator
    return register


def _like(x, *others, **named):
    return torch.empty(x.shape, dtype=x.dtype, device=x.device)


def _of_rows(x):
    return torch.empty((*x.shape[:-1], 1), dtype=torch.float32, device=x.device)


@_operator("rms_norm", _like)
def _rms_norm_op(x: torch.Tensor, w: torch.Tensor, eps: float) -> torch.Tensor:
    return rms_norm_forward(_dense(x), w, eps)


@_operator("rms_norm_saved", lambda x, w, eps: (_like(x), _of_rows(x)))
def _rms_norm_saved_op(x: torch.Tensor, w: torch.Tensor,
                       eps: float) -> tuple[torch.Tensor, torch.Tensor]:
    return rms_norm_saved(_dense(x), w, eps)


@_operator("rms_norm_backward", lambda dy, x, w, rstd: (_like(x), _like(w)))
def _rms_norm_backward_op(dy: torch.Tensor, x: torch.Tensor, w: torch.Tensor,
                          rstd: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    dx, (dw,) = _norm_backward("rmsnorm_backward", dy, x, w, [rstd])
    return dx, dw


@_operator("layer_norm", _like)
def _layer_norm_op(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor,
                   eps: float) -> torch.Tensor:
    return layer_norm_forward(_dense(x), w, b, eps)


@_operator("layer_norm_saved", lambda x, w, b, eps: (_like(x), _of_rows(x), _of_rows(x)))
def _layer_norm_saved_op(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, eps: float
                         ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return layer_norm_saved(_dense(x), w, b, eps)


@_operator("layer_norm_backward", lambda dy, x, w, mean, rstd: (_like(x), _like(w), _like(w)))
def _layer_norm_backward_op(dy: torch.Tensor, x: torch.Tensor, w: torch.Tensor,
                            mean: torch.Tensor, rstd: torch.Tensor
                            ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dx, (dw, db) = _norm_backward("layernorm_backward", dy, x, w, [mean, rstd])
    return dx, dw, db


@_operator("softmax", _like)
def _softmax_op(x: torch.Tensor) -> torch.Tensor:
    return softmax_forward(_dense(x))


@_operator("softmax_backward", lambda dy, y: _like(y))
def _softmax_backward_op(dy: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return softmax_backward(_dense(dy), _dense(y))


@_operator("log_softmax", _like)
def _log_softmax_op(x: torch.Tensor) -> torch.Tensor:
    return log_softmax_forward(_dense(x))


@_operator("log_softmax_backward", lambda dy, y: _like(y))
def _log_softmax_backward_op(dy: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return log_softmax_backward(_dense(dy), _dense(y))


@_operator("cross_entropy", lambda x, labels: (_of_rows(x), _of_rows(x)))
def _cross_entropy_op(x: torch.Tensor,
                      labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return _kernel_for("cross_entropy", x)(x.contiguous(), labels)


@_operator("cross_entropy_backward", lambda dloss, x, labels, lse: _like(x))
def _cross_entropy_backward_op(dloss: torch.Tensor, x: torch.Tensor, labels: torch.Tensor,
                               lse: torch.Tensor) -> torch.Tensor:
    x = x.contiguous()
    return _kernel_for("cross_entropy_backward", x)(x, labels, lse, dloss.contiguous())


def _halves(seed):
    """Lower and upper half, as arguments of 32 bits."""
    return [(half + 2**31) % 2**32 - 2**31 for half in (seed, seed >> 32)]


def _dropped(name, tensors, p, seed, stream):
    x = tensors[0]
    kernel = _kernel(name, x.shape[-1], _TYPES[x.dtype])
    given = (*_halves(int(seed)), stream, p)
    return kernel(*[_rows_of(t) for t in tensors], arguments=given).view(*x.shape)


@_operator("dropout", lambda x, p, seed, stream: _like(x))
def _dropout_op(x: torch.Tensor, p: float, seed: torch.Tensor, stream: int) -> torch.Tensor:
    return _dropped("dropout", [x], p, seed, stream)


@_operator("add_dropout", lambda x, residual, p, seed, stream: _like(x))
def _add_dropout_op(x: torch.Tensor, residual: torch.Tensor, p: float, seed: torch.Tensor,
                    stream: int) -> torch.Tensor:
    return _dropped("add_dropout", [x, residual], p, seed, stream)


# ---- Gradients ----------------------------------------------------------------------------------


def _keep(*places):
    """A setup_context that keeps these of inputs and outputs, in that order, and no gradient of
    what outputs are saved besides the first."""
    def setup(ctx, inputs, output):
        outputs = output if isinstance(output, tuple) else (output,)
        ctx.save_for_backward(*[(*inputs, *outputs)[p] for p in places])
        if len(outputs) > 1:
            ctx.mark_non_differentiable(*outputs[1:])
    return setup


def _rms_norm_gradient(ctx, dy, *_):
    x, w, rstd = ctx.saved_tensors
    return (*_rms_norm_backward_op(dy, x, w, rstd), None)


def _layer_norm_gradient(ctx, dy, *_):
    x, w, mean, rstd = ctx.saved_tensors
    return (*_layer_norm_backward_op(dy, x, w, mean, rstd), None)


def _cross_entropy_gradient(ctx, dloss, *_):
    x, labels, lse = ctx.saved_tensors
    return _cross_entropy_backward_op(dloss, x, labels, lse), None


def _keep_dropped(ctx, inputs, output):
    ctx.save_for_backward(inputs[-2])
    ctx.p, ctx.stream = inputs[-3], inputs[-1]


def _dropout_gradient(ctx, dy):
    """The same numbers are dropped: they follow from the seed."""
    return _dropout_op(dy, ctx.p, *ctx.saved_tensors, ctx.stream), None, None, None


def _add_dropout_gradient(ctx, dy):
    dx, *others = _dropout_gradient(ctx, dy)
    return dx, dy, *others


_rms_norm_saved_op.register_autograd(_rms_norm_gradient, setup_context=_keep(0, 1, 4))
_layer_norm_saved_op.register_autograd(_layer_norm_gradient, setup_context=_keep(0, 1, 5, 6))
_softmax_op.register_autograd(
    lambda ctx, dy: _softmax_backward_op(dy, *ctx.saved_tensors), setup_context=_keep(1))
_log_softmax_op.register_autograd(
    lambda ctx, dy: _log_softmax_backward_op(dy, *ctx.saved_tensors), setup_context=_keep(1))
_cross_entropy_op.register_autograd(_cross_entropy_gradient, setup_context=_keep(0, 1, 3))
_dropout_op.register_autograd(_dropout_gradient, setup_context=_keep_dropped)
_add_dropout_op.register_autograd(_add_dropout_gradient, setup_context=_keep_dropped)

# ---- What a program calls -----------------------------------------------------------------------


def _wanted(*tensors):
    return torch.is_grad_enabled() and any(t.requires_grad for t in tensors)


def _check(name, x, *weights):
    if x.dtype not in _TYPES:
        raise SluiceError(f"{name} takes float32, float16 and bfloat16, not {x.dtype}")
    for w in weights:
        if w.dtype != x.dtype or tuple(w.shape) != (x.shape[-1],):
            raise SluiceError(f"{name} takes a weight of {x.dtype} [{x.shape[-1]}], not {w.dtype} "
                              f"{list(w.shape)}")


def rms_norm(x, weight, eps=1e-6):
    """x / sqrt(mean(x^2) + eps) weight, along the last dimension."""
    _check("rms_norm", x, weight)
    if _wanted(x, weight):
        return _rms_norm_saved_op(x, weight, eps)[0]
    return _rms_norm_op(x, weight, eps)


def layer_norm(x, weight, bias, eps=1e-5):
    """(x - mean(x)) / sqrt(variance(x) + eps) weight + bias, along the last dimension."""
    _check("layer_norm", x, weight, bias)
    if _wanted(x, weight, bias):
        return _layer_norm_saved_op(x, weight, bias, eps)[0]
    return _layer_norm_op(x, weight, bias, eps)


def softmax(x):
    """Along the last dimension."""
    _check("softmax", x)
    return _softmax_op(x)


def log_softmax(x):
    """Along the last dimension."""
    _check("log_softmax", x)
    return _log_softmax_op(x)


def cross_entropy(x, labels, reduction="mean"):
    """log(sum(exp(x))) - x[label] of each row of x[rows, columns], their mean or their sum. Every
    label is a column: there is none to be left out. The gradient is x's."""
    _check("cross_entropy", x)
    if x.dim() != 2 or tuple(labels.shape) != (x.shape[0],):
        raise SluiceError(f"cross_entropy takes x[rows, columns] and labels[rows], not "
                          f"{list(x.shape)} and {list(labels.shape)}")
    if reduction not in ("mean", "sum", "none"):
        raise SluiceError(f"cross_entropy: reduction is 'mean', 'sum' or 'none', not {reduction!r}")
    loss = _cross_entropy_op(x, labels.to(torch.int32).view(-1, 1))[0].view(-1)
    return loss if reduction == "none" else getattr(loss, reduction)()


def _check_dropout(name, x, p, stream):
    _check(name, x)
    if x.dim() == 0:
        raise SluiceError(f"{name} takes rows of numbers, not a number")
    if not 0 <= p <= 1:
        raise SluiceError(f"{name}: p is a probability, not {p}")
    if not -2**31 <= stream < 2**31:
        raise SluiceError(f"{name}: a stream of {stream} does not fit 32 bits")


def _seed(seed):
    """A tensor of the host; without a seed one that PyTorch's generator draws."""
    if seed is None:
        return torch.randint(2**63 - 1, (), dtype=torch.int64, device="cpu")
    if not -2**63 <= seed < 2**63:
        raise SluiceError(f"a seed of {seed} does not fit 64 bits")
    return torch.tensor(seed, dtype=torch.int64, device="cpu")


def dropout(x, p=0.5, training=True, seed=None, stream=0):
    """x / (1 - p), or 0 with probability p. What is dropped follows from seed, stream, row and
    column alone, so that no mask is stored for the gradient."""
    _check_dropout("dropout", x, p, stream)
    return _dropout_op(x, float(p), _seed(seed), stream) if training and p > 0 else x


def add_dropout(x, residual, p=0.5, training=True, seed=None, stream=0):
    """residual + dropout(x), rounded once."""
    _check_dropout("add_dropout", x, p, stream)
    if residual.dtype != x.dtype or tuple(residual.shape) != tuple(x.shape):
        raise SluiceError(f"add_dropout takes a residual of {x.dtype} {list(x.shape)}, not "
                          f"{residual.dtype} {list(residual.shape)}")
    if training and p > 0:
        return _add_dropout_op(x, residual, float(p), _seed(seed), stream)
    return x + residual
