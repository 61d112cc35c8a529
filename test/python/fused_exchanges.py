"""How often the warps of a row meet: the exchanges of fused functions, in their CUDA C++."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import sluice


def exchanges(function, *shapes):
    text = sluice.fuse(function).source(*shapes)
    return len(re.findall(r"mbarrierInit\(full_\w+_shared\[", text))


def sums(x, z):
    return x * sluice.sum(x * z, -1, True), x.sum(-1) + (z * z).sum(-1)


def softmax_backward(x, z):
    y = sluice.softmax(x)
    return y * (z - sluice.sum(y * z, -1, True))


def written_out(x):
    e = sluice.exp(x - x.amax(-1, True))
    return e / e.sum(-1, True)


def everything(x, z):
    beside = x - x.mean(-1, True)
    return (beside * sluice.rsqrt((beside * beside).mean(-1, True) + 1e-5) + sluice.softmax(z),
            sluice.logsumexp(x + z, -1), x.amin(-1))


one, two = ((8, 8192),), ((8, 8192), (8, 8192))
print("softmax", exchanges(lambda x: sluice.softmax(x), *one))
print("written out", exchanges(written_out, *one))
print("log_softmax", exchanges(lambda x: sluice.log_softmax(x), *one))
print("layer_norm", exchanges(lambda x: sluice.layer_norm(x), *one))
print("last parts short", exchanges(lambda x: sluice.layer_norm(x), (8, 5001)))
print("three sums", exchanges(sums, *two))
print("everything", exchanges(everything, *two))
print("softmax backward", exchanges(softmax_backward, *two))
print("norm of softmax", exchanges(lambda x: sluice.layer_norm(sluice.softmax(x)), *one))
print("two passes", exchanges(everything, (8, 131072), (8, 131072)))
