"""Reads a manifest as docs/manifest.md has it: manifest.py gemm.json M=1000,K=64,N=300."""

import hashlib
import json
import pathlib
import sys


def evaluate(value, extents):
    """A number of the grid's arithmetic."""
    if isinstance(value, int):
        return value
    word, *operands = value
    if word == "extent":
        return extents[operands[0]][operands[1]]
    a = [evaluate(operand, extents) for operand in operands]
    return {"add": lambda: a[0] + a[1], "sub": lambda: a[0] - a[1], "mul": lambda: a[0] * a[1],
            "min": lambda: min(a), "max": lambda: max(a), "div": lambda: int(a[0] / a[1]),
            "ceildiv": lambda: -(-a[0] // a[1])}[word]()


path = pathlib.Path(sys.argv[1])
m = json.loads(path.read_text())
sizes = {name: int(size) for name, size in (pair.split("=") for pair in sys.argv[2].split(","))}
code = (path.parent / m["cubin"]).read_bytes()
hashed = "as" if hashlib.sha256(code).hexdigest() == m["cubin_sha256"] else "not as"
print(f"{m['kernel']} for {m['target']}, block {m['block']}, cluster {m['cluster']}, "
      f"code {hashed} hashed")
extents = {t["name"]: [sizes.get(e, e) for e in t["extents"]] for t in m["tensors"]}
print("grid", [evaluate(side, extents) for side in m["grid"]])
for t in m["tensors"]:
    shape = ", ".join(str(e) for e in t["extents"])
    print(t["name"], t["type"], f"[{shape}]", "in" * t["input"] + "out" * t["output"])
print(", ".join(f"{p['kind']} {p['name']}" for p in m["parameters"]))
print(f"{m['proof']['verdict']}: {m['proof']['trip_counts']}")
