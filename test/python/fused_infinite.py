"""What is none, infinite or far apart, as PyTorch has it, however rows are dealt out."""

import math
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import sluice
from sluice import _rows

NONE, INF = math.nan, math.inf


@sluice.fuse
def ours(x):
    beside = x - sluice.amax(x, -1, True)
    e = sluice.exp(beside)
    largest = x.amax(-1)
    return (sluice.softmax(x), e, e / e.sum(-1, True), sluice.log_softmax(x), e.sum(-1),
            sluice.logsumexp(x, -1), largest, x.mean(-1), x.var(-1, False), x.amin(-1),
            sluice.layer_norm(x))


def theirs(x):
    def fold(op):
        return NONE if any(map(math.isnan, x)) else op(x)

    most = fold(max)
    e = [math.exp(v - most) for v in x]
    total = sum(e)
    shares = [v / total if total else NONE for v in e]
    log = math.log(total) if total else -INF
    mean = sum(x) / len(x)
    var = sum((v - mean) ** 2 for v in x) / len(x)
    lse = most if abs(most) == INF else most + log
    norm = [(v - mean) / math.sqrt(var + 1e-5) for v in x]
    logs = [v - most - log for v in x]
    return shares, e, shares, logs, total, lse, most, mean, var, fold(min), norm


def close(a, b, size):
    """`size`: of the numbers that it is of."""
    return math.isnan(a) and math.isnan(b) or a == b or abs(a - b) <= 1e-6 * (size + abs(b))


def rounded(row):
    return list(struct.unpack(f"{len(row)}f", struct.pack(f"{len(row)}f", *row)))


def rows_of(columns):
    """Numbers of all parts of a row, some of them other."""
    usual = rounded([math.sin(j) for j in range(columns)])

    def with_(**others):
        return [others.get(f"at{j}", v) for j, v in enumerate(usual)]

    end = columns - 1
    return [usual, with_(at3=INF), with_(at3=NONE), [-INF] * columns, [INF] * columns,
            [-INF] * end + [1.0], [1.0] + [-INF] * end, with_(at3=INF, **{f"at{end}": INF}),
            with_(at3=-INF, **{f"at{end}": INF}), with_(at3=NONE, **{f"at{end}": INF}),
            rounded([v + 150.0 * (j * 8 // columns) for j, v in enumerate(usual)]),
            rounded([v + 1e3 for v in usual]), [7.0] * columns]


def check(columns):
    x = rows_of(columns)
    got = ours.run(x)
    for i, row in enumerate(x):
        size = max([1.0] + [abs(v) for v in row if math.isfinite(v)])
        for k, want in enumerate(theirs(row)):
            found = got[k][i]
            pairs = zip(found, want) if isinstance(want, list) else [(found, want)]
            for j, (a, b) in enumerate(pairs):
                where = f"{columns} columns, row {i}, result {k}, {j}"
                assert close(a, b, size), f"{where}: {a}, not {b}"
    print(columns, "columns:", ours.plan((len(x), columns), dtype="f32").split(":")[0])


check(300)
check(2048)
_rows._REGISTERS = 0
check(70)
check(777)
_rows._SHARED_REGISTERS, _rows._BYTES = 0, 1024
check(777)
check(2240)
