"""Activations that a fused function may call, by PyTorch's names."""

import math

from ._functions import add, clamp, div, erf, exp, gt, maximum, mul, named, neg, tanh, where
from ._trace import refuse


@named("sigmoid", "expit")
def sigmoid(x):
    return div(1.0, add(exp(neg(x)), 1.0))


@named("silu")
def silu(x, inplace=False):
    _not_in_place("silu", inplace)
    return div(x, add(exp(neg(x)), 1.0))


@named("relu")
def relu(x, inplace=False):
    _not_in_place("relu", inplace)
    return maximum(x, 0.0)


@named("gelu")
def gelu(x, *, approximate="none"):
    if approximate == "none":
        return mul(mul(x, 0.5), add(erf(mul(x, math.sqrt(0.5))), 1.0))
    if approximate != "tanh":
        refuse(f"gelu with approximate={approximate!r}: none or tanh")
    inner = mul(math.sqrt(2 / math.pi), add(x, mul(0.044715, mul(x, mul(x, x)))))
    return mul(mul(x, 0.5), add(tanh(inner), 1.0))


def _not_in_place(name, inplace):
    if inplace:
        refuse(f"{name} in place")


@named("leaky_relu")
def leaky_relu(x, negative_slope=0.01, inplace=False):
    _not_in_place("leaky_relu", inplace)
    return where(gt(x, 0.0), x, mul(x, negative_slope))


@named("relu6")
def relu6(x, inplace=False):
    _not_in_place("relu6", inplace)
    return clamp(x, 0.0, 6.0)


@named("hardsigmoid")
def hardsigmoid(x, inplace=False):
    _not_in_place("hardsigmoid", inplace)
    return mul(clamp(add(x, 3.0), 0.0, 6.0), 1.0 / 6.0)


@named("hardswish")
def hardswish(x, inplace=False):
    _not_in_place("hardswish", inplace)
    return mul(x, mul(clamp(add(x, 3.0), 0.0, 6.0), 1.0 / 6.0))
