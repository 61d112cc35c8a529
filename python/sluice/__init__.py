"""Kernels that `sluice build` made, on tensors of PyTorch or of anything that speaks DLPack."""

from ._gemm import gemm
from ._kernel import Kernel, load
from ._library import SluiceError
from ._ops import custom_op

__all__ = ["Kernel", "SluiceError", "custom_op", "gemm", "load"]
