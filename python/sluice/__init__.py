"""Kernels that `sluice build` made, and functions that become kernels, on tensors of PyTorch or of
anything that speaks DLPack."""

from ._activations import (gelu, hardsigmoid, hardswish, leaky_relu, relu, relu6, sigmoid,
                           silu)
from ._frame import Spec
from ._functions import (abs, add, all, amax, amin, any, clamp, div, eq, erf, exp, exp2, ge, gt,
                         isfinite, isinf, isnan, layer_norm, le, log, log2, log_softmax,
                         logical_and, logical_not, logical_or, logsumexp, lt, masked_fill, max,
                         maximum, mean, min, minimum, mul, ne, neg, norm, normalize, pow, prod,
                         reciprocal, rms_norm, rsqrt, softmax, sqrt, square, std, sub, sum, tanh,
                         to, var, var_mean, where)
from ._fuse import Fused, fuse
from ._gemm import gemm
from ._kernel import Kernel, load
from ._library import SluiceError
from ._ops import custom_op

__all__ = ["Fused", "Kernel", "SluiceError", "Spec", "custom_op", "fuse", "gemm", "load"]
