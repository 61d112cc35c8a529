"""What PyTorch has of the kernels along rows, eager or compiled; needs PyTorch."""

import torch

F = torch.nn.functional


def silu_mul_backward(x, g, dy):
    s = torch.sigmoid(x)
    return dy * g * s * (1 + x * (1 - s)), dy * x * s


def cross_entropy(x, labels):
    labels = labels.reshape(-1).long()
    return (F.cross_entropy(x, labels, reduction="none").reshape(-1, 1),
            torch.logsumexp(x, 1, keepdim=True))


def cross_entropy_backward(x, labels, lse, dloss):
    share = torch.exp(x - lse.to(x.dtype))
    return share.scatter_add(1, labels.long(), -torch.ones_like(share[:, :1])) * dloss.to(x.dtype)


def add_rmsnorm(x, r, w):
    h = x + r
    return F.rms_norm(h, h.shape[1:], w.reshape(-1), 1e-6), h


def add_layernorm(x, r, w, b):
    h = x + r
    return F.layer_norm(h, h.shape[1:], w.reshape(-1), b.reshape(-1), 1e-6), h


def rmsnorm_backward(x, dy, w, rstd):
    n, g = x * rstd.to(x.dtype), dy * w
    return rstd.to(x.dtype) * (g - n * (g * n).mean(1, keepdim=True)), (dy * n).sum(0)


def layernorm_backward(x, dy, w, mean, rstd):
    w = w.reshape(-1)
    return torch.ops.aten.native_layer_norm_backward(
        dy, x, x.shape[1:], mean, rstd, w, w, [True, True, True])


def quantise(x):
    scale = x.abs().amax(1, keepdim=True) / 448
    q = x / scale.to(x.dtype)
    return q if x.dtype == torch.float64 else q.to(torch.float8_e4m3fn), scale


DROPPED = 0.1
ARGUMENTS = (0x1234567, -5, 3, DROPPED)  # halves of the seed, stream, probability


def uniform(rows, columns):
    """The random numbers of dropout (docs/semantics.md): Philox4x32-10, its words in 64 bits."""
    low = 0xffffffff
    seed0, seed1, stream, _ = (a & low if isinstance(a, int) else a for a in ARGUMENTS)
    c0 = torch.arange((columns + 3) // 4, device="cuda").expand(rows, -1)
    c1 = torch.arange(rows, device="cuda")[:, None].expand_as(c0)
    c2, c3 = torch.full_like(c0, stream), torch.zeros_like(c0)
    for turn in range(10):
        even, odd = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0 = (odd >> 32 & low) ^ c1 ^ (seed0 + turn * 0x9E3779B9 & low)
        c2 = (even >> 32 & low) ^ c3 ^ (seed1 + turn * 0xBB67AE85 & low)
        c1, c3 = odd & low, even & low
    words = torch.stack([c0, c1, c2, c3], 2).reshape(rows, -1)[:, :columns]
    return (words >> 8).float() / 2**24


def dropout(x, r=None):
    """PyTorch's own; in float64 with our numbers."""
    if x.dtype == torch.float64:
        y = torch.where(uniform(*x.shape) >= DROPPED, x / (1 - DROPPED), 0.0)
    else:
        y = F.dropout(x, DROPPED)
    return y if r is None else r + y


def rope(x, c, s):
    x1, x2 = x[:, :, 0], x[:, :, 1]
    c, s = c[:, None], s[:, None]
    return torch.stack((x1 * c - x2 * s, x2 * c + x1 * s), 2).to(x.dtype)


# What PyTorch has, and of inputs and outputs in order: m: rows x cols, v: 1 x cols, l: labels, one
# a row, r: a float of each row, s: floats whose sum over rows is the result, q: e4m3, t: cols x
# rows, o: heads of 128 in halves, h: half a head of floats
# a row.
KERNELS = {
    "copy": (lambda x: x.clone(), "m", "m"),
    "add": (lambda x, z: x + z, "mm", "m"),
    "bias_gelu": (lambda x, b: F.gelu(x + b), "mv", "m"),
    "silu_mul": (lambda x, g: F.silu(x) * g, "mm", "m"),
    "silu_mul_backward": (silu_mul_backward, "mmm", "mm"),
    "rmsnorm": (lambda x, w: F.rms_norm(x, x.shape[1:], w.reshape(-1), 1e-6), "mv", "m"),
    "layernorm": (lambda x, w, b: F.layer_norm(x, x.shape[1:], w.reshape(-1), b.reshape(-1), 1e-6),
                  "mvv", "m"),
    "softmax": (lambda x: torch.softmax(x, 1), "m", "m"),
    "log_softmax": (lambda x: torch.log_softmax(x, 1), "m", "m"),
    "softmax_backward": (
        lambda y, dy: torch._softmax_backward_data(dy, y, 1, y.dtype), "mm", "m"),
    "cross_entropy": (cross_entropy, "ml", "rr"),
    "cross_entropy_backward": (cross_entropy_backward, "mlrr", "m"),
    "gelu_backward": (lambda x, dy: torch.ops.aten.gelu_backward(dy, x), "mm", "m"),
    "scale_bias_relu": (lambda x, s, b: F.relu(x * s + b), "mvv", "m"),
    "add_rmsnorm": (add_rmsnorm, "mmv", "mm"),
    "add_layernorm": (add_layernorm, "mmvv", "mm"),
    "quantise": (quantise, "m", "qr"),
    "dropout": (dropout, "m", "m"),
    "add_dropout": (dropout, "mm", "m"),
    "rope": (rope, "ohh", "o"),
    "transpose": (lambda x: x.t().contiguous(), "m", "t"),
    "rmsnorm_backward": (rmsnorm_backward, "mmvr", "ms"),
    "layernorm_backward": (layernorm_backward, "mmvrr", "mss"),
}
