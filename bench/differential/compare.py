"""Runs the cubins of a prepared folder on a GPU and compares with the virtual machine's outputs."""

import json
import multiprocessing
import os
import pathlib
import subprocess
import sys

import numpy as np

from . import values

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "differential.py"
POISON = {"i32": 1234567891, "i8": 77}  # of floats 64, which every type holds


def poisoned(t):
    """An output before the launch: numbers that no kernel computes by chance."""
    held = values.FILE_TYPES[t["dtype"]] if t["dtype"] in POISON else np.float32
    return np.full(t["shape"], POISON.get(t["dtype"], 64.0), held)


def on_device(t, data, torch):
    """The elements of a file as a tensor of the device, with the contiguous dimension of `t`."""
    views = {"bf16": torch.bfloat16, "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
    order = list(range(data.ndim))
    order.append(order.pop(t["minor"]))
    data = np.ascontiguousarray(np.transpose(data, order))
    if t["dtype"] == "bf16":
        data = data.view(np.int16)
    tensor = torch.from_numpy(data).cuda()
    if t["dtype"] in views:
        tensor = tensor.view(views[t["dtype"]])
    back = list(range(data.ndim))
    back.insert(t["minor"], back.pop())
    return tensor.permute(back)


def from_device(t, tensor, torch):
    tensor = tensor.contiguous()
    if t["dtype"] in ("bf16", "e4m3", "e5m2"):
        tensor = tensor.view(torch.int16 if t["dtype"] == "bf16" else torch.uint8)
    return values.decoded(t["dtype"], tensor.cpu().numpy())


def compare_one(place, sluice, torch):
    """Empty, or what differs."""
    case = json.loads((place / "case.json").read_text())
    held = np.load(place / "case.npz")
    tensors = case["tensors"]
    outputs = [n for n, t in tensors.items() if t["out"]]
    placed = {n: on_device(t, values.codes(t["dtype"], poisoned(t)) if t["out"] else held[n],
                           torch) for n, t in tensors.items()}
    kernel = sluice.load(str(place / f"{place.name}.json"))
    kernel(*(placed[n] for n in tensors if n not in outputs),
           out=tuple(placed[n] for n in outputs) if len(outputs) > 1 else placed[outputs[0]],
           arguments=[a["value"] for a in case["arguments"]])
    torch.cuda.synchronize()
    for n in outputs:
        t, powers = tensors[n], held[f"bounds of {n}"]
        want = values.decoded(t["dtype"], held[n]).reshape(t["shape"])
        have = from_device(t, placed[n], torch)
        untouched = poisoned(t)
        far = np.where((powers > values.EXACT) & (powers < values.UNKNOWN), powers + 1, powers)
        wrong = values.differing(want, have, far, untouched)
        if wrong.any():
            return f"{n}: " + values.told(want, have, far, wrong)
    return ""


def work(folder, programs, names):
    """One process: prints a line for each kernel, before and after it."""
    os.environ["SLUICE_BIN"] = str(programs.resolve())
    sys.path.insert(0, str(SCRIPT.parent.parent / "python"))
    import torch

    import sluice
    for name in names:
        print(f"begin {name}", flush=True)
        print(f"end {name} {compare_one(folder / name, sluice, torch)}", flush=True)
    return 0


def share(job):
    """Kernels one after the other; where one ends its process, the next process goes on."""
    folder, programs, names = job
    found = {}
    while names:
        done = subprocess.run([sys.executable, str(SCRIPT), "work", str(folder), str(programs),
                               *names], capture_output=True, text=True)
        begun = None
        for line in done.stdout.splitlines():
            word, name, *rest = line.split(" ", 2)
            begun = name if word == "begin" else None
            if word == "end":
                found[name] = rest[0] if rest else ""
        if begun:
            errors = [x for x in done.stderr.splitlines() if "rror" in x]
            found[begun] = "died: " + (errors[-1] if errors else f"status {done.returncode}")
        elif len(found) == 0:
            return {names[0]: "no process ran: " + done.stderr.strip()[-300:]}
        names = [n for n in names if n not in found]
    return found


def compare(folder, programs):
    names = sorted(p.parent.name for p in folder.glob("*/case.json"))
    parts = [(folder, programs, names[i::8]) for i in range(8)]
    found = {}
    with multiprocessing.Pool(8) as pool:
        for part in pool.imap_unordered(share, [p for p in parts if p[2]]):
            found.update(part)
    different = {n: why for n, why in found.items() if why}
    for name, why in sorted(different.items()):
        case = json.loads((folder / name / "case.json").read_text())
        print(f"{name} (seed {case['seed']}, {case['family']}): {why}")
    print(f"{len(found)} kernels, {len(different)} differ")
    return 1 if different or not found else 0
