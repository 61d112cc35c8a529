"""What a fused function may call: by these names in `sluice`, by PyTorch's own, as methods and
operators."""

import builtins
import math

from ._trace import Traced, element, reduction, refuse, traced

FUNCTIONS = {}  # by all of their names


def named(*names):
    def keep(function):
        for name in names:
            FUNCTIONS[name] = function
        return function
    return keep


# ---- Element by element -----------------------------------------------------------------------

def _unary(name, op=None):
    def function(x):
        return element(name, op or name, x)
    function.__name__ = function.__qualname__ = name
    FUNCTIONS[name] = function
    return function


exp, exp2, log, log2 = (_unary(n) for n in ("exp", "exp2", "log", "log2"))
sqrt, rsqrt, tanh, erf, abs, neg = (_unary(n) for n in ("sqrt", "rsqrt", "tanh", "erf", "abs",
                                                       "neg"))
FUNCTIONS.update(absolute=abs, negative=neg)


@named("add")
def add(x, other, *, alpha=1):
    return element("add", "add", x, other if alpha == 1 else mul(other, alpha))


@named("sub", "subtract")
def sub(x, other, *, alpha=1):
    return element("sub", "sub", x, other if alpha == 1 else mul(other, alpha))


@named("mul", "multiply")
def mul(x, other):
    return element("mul", "mul", x, other)


@named("div", "divide", "true_divide")
def div(x, other):
    return element("div", "div", x, other)


@named("maximum")
def maximum(x, other):
    return element("maximum", "maximum", x, other)


@named("minimum")
def minimum(x, other):
    return element("minimum", "minimum", x, other)


@named("clamp", "clip")
def clamp(x, min=None, max=None):
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


@named("reciprocal")
def reciprocal(x):
    return div(1.0, x)


@named("square")
def square(x):
    return mul(x, x)


@named("pow")
def pow(x, exponent):
    traced((x,), "pow")
    if exponent == 0.5:
        return sqrt(x)
    if exponent == -0.5:
        return rsqrt(x)
    if not isinstance(exponent, (int, float)) or exponent != int(exponent) or \
            not 1 <= math.fabs(exponent) <= 64:
        refuse(f"pow with the exponent {exponent}: whole numbers to 64, 0.5 and -0.5")
    power, result, left = x, None, int(math.fabs(exponent))
    while left:
        if left & 1:
            result = power if result is None else mul(result, power)
        left >>= 1
        power = mul(power, power) if left else power
    return result if exponent > 0 else reciprocal(result)


# ---- Truth values -----------------------------------------------------------------------------

def _comparison(name, op, *others):
    def function(x, other):
        return element(name, op, x, other, dtype="bool")
    function.__name__ = function.__qualname__ = name
    for known in (name, *others):
        FUNCTIONS[known] = function
    return function


lt, le = _comparison("lt", "lt", "less"), _comparison("le", "le", "less_equal")
gt, ge = _comparison("gt", "gt", "greater"), _comparison("ge", "ge", "greater_equal")
eq, ne = _comparison("eq", "eq"), _comparison("ne", "ne", "not_equal")


def _of_truth(name, *given):
    traced(given, name)
    if not builtins.all(isinstance(x, Traced) and x.dtype_ == "bool" for x in given):
        refuse(f"{name} of numbers: it takes truth values")
    return element(name, name, *given, dtype="bool")


@named("logical_and", "bitwise_and")
def logical_and(x, other):
    return _of_truth("logical_and", x, other)


@named("logical_or", "bitwise_or")
def logical_or(x, other):
    return _of_truth("logical_or", x, other)


@named("logical_not", "bitwise_not")
def logical_not(x):
    return _of_truth("logical_not", x)


@named("where")
def where(condition, x, other):
    """x where the condition holds, else other."""
    traced((condition, x, other), "where")
    if not isinstance(condition, Traced) or condition.dtype_ != "bool":
        refuse("where by numbers: its condition is a comparison")
    if builtins.any(isinstance(t, Traced) and t.dtype_ == "bool" for t in (x, other)):
        refuse("where of truth values: it chooses between numbers")
    return element("where", "where", condition, x, other)


@named("masked_fill")
def masked_fill(x, mask, value):
    return where(mask, value, x)


@named("isnan")
def isnan(x):
    return ne(x, x)


@named("isinf")
def isinf(x):
    return eq(abs(x), math.inf)


@named("isfinite")
def isfinite(x):
    return lt(abs(x), math.inf)


# ---- Along rows -------------------------------------------------------------------------------

class Extremes:
    """What PyTorch's max and min of a dimension give, without the places."""

    def __init__(self, values):
        self.values = values

    @property
    def indices(self):
        refuse("the places of max and min: their .values alone are computed")

    def __iter__(self):
        refuse("the places of max and min: their .values alone are computed")


@named("sum")
def sum(x, dim=None, keepdim=False, *, dtype=None):
    x = _as(x, dtype)
    return reduction("sum", x, dim, keepdim, lambda n: x.trace.graph.sum(n))


@named("mean")
def mean(x, dim=None, keepdim=False, *, dtype=None):
    x = _as(x, dtype)
    return reduction("mean", x, dim, keepdim, lambda n: x.trace.graph.mean_of(n))


@named("amax")
def amax(x, dim=None, keepdim=False):
    return reduction("max", x, dim, keepdim, lambda n: x.trace.make("max", n))


@named("amin")
def amin(x, dim=None, keepdim=False):
    return reduction("min", x, dim, keepdim, lambda n: x.trace.make("min", n))


@named("prod")
def prod(x, dim=None, keepdim=False, *, dtype=None):
    x = _as(x, dtype)
    return reduction("prod", x, dim, keepdim, lambda n: x.trace.make("prod", n))


def _of_truths(name, op, x, dim, keepdim):
    """The largest or smallest of 1 where it is true, or not 0, and 0."""
    holds = x if isinstance(x, Traced) and x.dtype_ == "bool" else ne(x, 0.0)
    truths = where(holds, 1.0, 0.0)
    return ne(reduction(name, truths, dim, keepdim, lambda n: x.trace.make(op, n)), 0.0)


@named("any")
def any(x, dim=None, keepdim=False):
    return _of_truths("any", "max", x, dim, keepdim)


@named("all")
def all(x, dim=None, keepdim=False):
    return _of_truths("all", "min", x, dim, keepdim)


max, min = amax, amin


@named("max")
def _torch_max(x, dim=None, keepdim=False):
    return _extreme(x, dim, keepdim, amax, maximum)


@named("min")
def _torch_min(x, dim=None, keepdim=False):
    return _extreme(x, dim, keepdim, amin, minimum)


def _extreme(x, dim, keepdim, reduce, join):
    if isinstance(dim, Traced):
        return join(x, dim)
    return Extremes(reduce(x, dim, keepdim))


@named("var")
def var(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Over columns less `correction` (1 unless it is given, as PyTorch's)."""
    less = (1 if unbiased is None else int(unbiased)) if correction is None else correction

    def make(node):
        graph = x.trace.graph
        width = graph.node("width")
        over = graph.node("sub", width, graph.constant(less)) if less else width
        return graph.node("div", graph.node("squares", node), over)

    return reduction("var", x, dim, keepdim, make)


@named("std")
def std(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return sqrt(var(x, dim, unbiased, keepdim, correction=correction))


@named("var_mean")
def var_mean(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return var(x, dim, unbiased, keepdim, correction=correction), mean(x, dim, keepdim)


@named("softmax")
def softmax(x, dim=-1, _stacklevel=3, dtype=None):
    x = _as(x, dtype)
    e = exp(sub(x, amax(x, dim, True)))
    return mul(e, reciprocal(sum(e, dim, True)))


@named("log_softmax")
def log_softmax(x, dim=-1, _stacklevel=3, dtype=None):
    x = _as(x, dtype)
    beside = sub(x, amax(x, dim, True))
    return sub(beside, log(sum(exp(beside), dim, True)))


@named("logsumexp")
def logsumexp(x, dim=-1, keepdim=False):
    most = amax(x, dim, keepdim=True)
    finite = add(most, log(sum(exp(sub(x, most)), dim, keepdim=True)))
    y = where(eq(abs(most), math.inf), most, finite)
    return y if keepdim else y.squeeze(-1)


@named("norm", "vector_norm", "linalg_vector_norm")
def norm(x, p=2, dim=None, keepdim=False, *, ord=None, dtype=None):
    """With p, which is `ord` for vector_norm, 1, 2 or inf."""
    x, p = _as(x, dtype), p if ord is None else ord
    if p == math.inf:
        return amax(abs(x), dim, keepdim)
    if p not in (1, 2, "fro"):
        refuse(f"norm with p={p!r}: 1, 2 or inf")
    return sum(abs(x), dim, keepdim) if p == 1 else sqrt(sum(square(x), dim, keepdim))


@named("normalize")
def normalize(x, p=2, dim=1, eps=1e-12, out=None):
    if out is not None:
        refuse("normalize into another tensor")
    return div(x, maximum(norm(x, p, dim, True), eps))


@named("rms_norm")
def rms_norm(x, normalized_shape=None, weight=None, eps=1e-6):
    _last_alone("rms_norm", x, normalized_shape)
    if eps is None:
        eps = {"f32": 2.0 ** -23, "f16": 2.0 ** -10, "bf16": 2.0 ** -7}[x.dtype_]
    y = mul(x, rsqrt(add(mean(square(x), -1, True), eps)))
    return y if weight is None else mul(y, weight)


@named("layer_norm")
def layer_norm(x, normalized_shape=None, weight=None, bias=None, eps=1e-5):
    _last_alone("layer_norm", x, normalized_shape)
    beside = sub(x, mean(x, -1, True))
    y = mul(beside, rsqrt(add(var(x, -1, False, True), eps)))
    y = y if weight is None else mul(y, weight)
    return y if bias is None else add(y, bias)


def _last_alone(name, x, shape):
    traced((x,), name)
    if shape is not None and tuple(shape) != (x.shape[-1],):
        refuse(f"{name} over the extents {list(shape)}: it goes along the last dimension")


def _as(x, dtype):
    return x if dtype is None else to(x, dtype)


@named("to")
def to(x, dtype):
    """Rounded to f32, f16 or bf16."""
    traced((x,), "to")
    return x.to(dtype)


# ---- Operators --------------------------------------------------------------------------------

def _operators():
    def swapped(function):
        return lambda x, other: function(other, x)

    def refused(words):
        def stop(x, *others):
            refuse(words)
        return stop

    for name, function in (("add", add), ("sub", sub), ("mul", mul), ("truediv", div),
                           ("and", logical_and), ("or", logical_or)):
        setattr(Traced, f"__{name}__", lambda x, other, f=function: f(x, other))
        setattr(Traced, f"__r{name}__", swapped(function))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Traced, f"__{name}__", FUNCTIONS[name])
    Traced.__hash__ = object.__hash__
    Traced.__pow__, Traced.__neg__, Traced.__abs__ = pow, neg, abs
    Traced.__pos__, Traced.__invert__ = (lambda x: x), logical_not
    Traced.__rpow__ = refused("pow of a number with a tensor for its exponent; sluice.exp and "
                              "sluice.exp2 are powers")
    for name, words in (("matmul", "a matrix product; sluice.gemm is one"),
                        ("mod", "a remainder (%)"), ("floordiv", "a quotient without rest (//)")):
        setattr(Traced, f"__{name}__", refused(words))
        setattr(Traced, f"__r{name}__", refused(words))
    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("pow", "**")):
        setattr(Traced, f"__i{name}__",
                refused(f"{sign}= would write into a tensor; make a new one: y = x {sign} z"))


_operators()
