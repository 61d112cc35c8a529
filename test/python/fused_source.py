"""The CUDA C++ of one function for rows that are dealt out in four ways, into a folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import sluice


@sluice.fuse
def everything(x, residual, w, c, scale=0.5):
    total = sluice.where(x > c, x * scale, residual) + w
    y = sluice.layer_norm(total, None, w) + sluice.softmax(sluice.gelu(total))
    return y, total.amax(-1), sluice.logsumexp(total, -1, keepdim=True)


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, rows, columns in (("one", 300, 1000), ("parts", 30, 16384), ("pieces", 30, 9001),
                            ("shares", 1 << 16, 512)):
    shapes = (rows, columns), (rows, columns), (columns,), (rows, 1)
    (folder / f"{name}.cu").write_text(everything.source(*shapes, dtype="bf16"))
