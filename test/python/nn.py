"""sluice.nn: how many kernels its operators launch, and that their fakes have the same shapes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
from fake import error, launches

import torch
import sluice.nn as nn
from torch import Tensor


def agree(operator, *given):
    """What it computes and what its fake says have the same shapes and types; launches of it."""
    before = launches.count
    made, said = operator(*given), operator.fake(*given)
    both = [t if isinstance(t, tuple) else (t,) for t in (made, said)]
    shapes = [[(tuple(t.shape), t.dtype) for t in ts] for ts in both]
    assert shapes[0] == shapes[1], (operator.name, shapes)
    return launches.count - before


def numbers(rows):
    return Tensor((rows, 1), torch.float32)


for rows, columns, dtype in ((33, 1000, torch.bfloat16), (33, 16384, torch.bfloat16),
                             (33, 65536, torch.bfloat16), (5, 4097, torch.bfloat16),
                             (5, 9001, torch.float16), (33, 4096, torch.float32)):
    x, dy = Tensor((rows, columns), dtype), Tensor((rows, columns), dtype)
    w, b = Tensor((columns,), dtype), Tensor((columns,), dtype)
    counts = [
        agree(nn._rms_norm_op, x, w, 1e-6), agree(nn._rms_norm_saved_op, x, w, 1e-6),
        agree(nn._rms_norm_backward_op, dy, x, w, numbers(rows)),
        agree(nn._layer_norm_op, x, w, b, 1e-5), agree(nn._layer_norm_saved_op, x, w, b, 1e-5),
        agree(nn._layer_norm_backward_op, dy, x, w, numbers(rows), numbers(rows)),
        agree(nn._softmax_op, x), agree(nn._softmax_backward_op, dy, x),
        agree(nn._log_softmax_op, x), agree(nn._log_softmax_backward_op, dy, x)]
    print(f"{rows} x {columns} {dtype}:", *counts)

x, labels = Tensor((33, 32000), torch.bfloat16), Tensor((33, 1), torch.int32)
print("cross_entropy:", agree(nn._cross_entropy_op, x, labels),
      agree(nn._cross_entropy_backward_op, numbers(33), x, labels, numbers(33)))
x3 = Tensor((3, 11, 1000), torch.bfloat16)
assert nn.softmax(x3).shape == (3, 11, 1000)
assert nn._rms_norm_saved_op(x3, Tensor((1000,), torch.bfloat16), 1e-6)[1].shape == (3, 11, 1)
seed = torch.tensor(-1 << 40, dtype=torch.int64, device="cpu")
for shape in ((33, 4096), (33, 4097), (2, 3, 1000), (7,)):
    x = Tensor(shape, torch.bfloat16)
    print(f"dropout of {shape}:", agree(nn._dropout_op, x, 0.1, seed, 3),
          agree(nn._add_dropout_op, x, x, 0.1, seed, 3))
x = Tensor((33, 32000), torch.bfloat16)
assert nn._halves(-1 << 40) == [0, -256] and nn._halves((1 << 63) - 1) == [-1, 2**31 - 1]
assert nn._halves(0x89abcdef01234567) == [0x01234567, 0x89abcdef - 2**32]
before = launches.count
assert nn.dropout(x, training=False) is x and nn.dropout(x, 0.0) is x
assert launches.count == before
assert nn.dropout(x).shape == x.shape and nn.add_dropout(x, x, 1.0, seed=5).shape == x.shape
assert launches.count == before + 2
print(error(nn.dropout, x, 1.5))
print(error(nn.dropout, x, 0.5, seed=1 << 63))
print(error(nn.dropout, x, 0.5, stream=1 << 31))
print(error(nn.dropout, Tensor((), torch.float32)))
print(error(nn.add_dropout, x, Tensor((33, 100), torch.bfloat16)))
print(error(nn.rms_norm, x, Tensor((32000,), torch.float32)))
print(error(nn.layer_norm, x, Tensor((32000,), torch.bfloat16), Tensor((7,), torch.bfloat16)))
print(error(nn.softmax, Tensor((33, 100), torch.int8)))
print(error(nn.cross_entropy, x, Tensor((32,), torch.int32)))
print(error(nn.cross_entropy, x, Tensor((33,), torch.int32), "median"))
