"""Draws kernels, proves them, runs them on the virtual machine and in host mode beside a float64
reference, and builds them."""

import collections
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess

import numpy as np

from . import kernels, known, values


class Refused(Exception):
    """A step that did not do what it should."""

    def __init__(self, step, why):
        super().__init__(f"{step}: {why}")
        self.step, self.why = step, why


def sluice(programs, verb, place, words):
    """Exit code and what is said."""
    done = subprocess.run([str(programs / "sluice"), verb, str(place / "kernel.mlir"), *words],
                          capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def first_line(text):
    lines = text.strip().splitlines()
    telling = re.compile(r"error|R\d+ \(|do not repeat|every launch:|no launch|unsupported")
    return next((x for x in lines if telling.search(x)), (lines or [""])[-1])


def launch_words(kernel):
    words = [f"{n}={'x'.join(str(x) for x in t['shape'])}" for n, t in kernel.tensors.items()]
    words += [f"{n}={a['value']}" for n, a in kernel.arguments.items()]
    return ["--set", *words]


def draw_one(place, seed):
    """The kernel and the elements of its inputs, with the files that hold them."""
    kernel = kernels.draw(place.name, random.Random(seed))
    place.mkdir(parents=True, exist_ok=True)
    (place / "kernel.mlir").write_text(kernel.text())
    rng = np.random.default_rng(seed)
    special = rng.random() < 0.3
    inputs = {n: values.draw(t, rng, special) for n, t in kernel.tensors.items() if not t["out"]}
    for n, value in inputs.items():
        np.save(place / f"{n}.npy", values.codes(kernel.tensors[n]["dtype"], value))
    return kernel, inputs


def check(kernel, place, programs):
    """Proven, or Refused with what is said."""
    code, text = sluice(programs, "check", place, launch_words(kernel))
    verdict = {0: "proven", 1: "refused", 3: "unsupported"}.get(code, f"ended by {code}")
    if code == 2:
        verdict = "refused"
    if code == 0 and "proven: every launch" not in text:
        verdict = "proven for this launch"
    if verdict != "proven":
        raise Refused(verdict, first_line(text))


def run(kernel, place, programs):
    """Outputs of the virtual machine by name."""
    files = [f"{n}={place / n}.npy" for n, t in kernel.tensors.items() if not t["out"]]
    outputs = [n for n, t in kernel.tensors.items() if t["out"]]
    words = launch_words(kernel) + (["--in", *files] if files else [])
    code, text = sluice(programs, "run", place, words + [
        "--device", "sim", "--out", *(f"{n}={place / n}.npy" for n in outputs)])
    if code not in (0, 1) or not all((place / f"{n}.npy").exists() for n in outputs):
        raise Refused("run", first_line(text))
    found = {}
    for n in outputs:
        t = kernel.tensors[n]
        found[n] = values.decoded(t["dtype"], np.load(place / f"{n}.npy")).reshape(t["shape"])
    return found


def against_reference(kernel, inputs, found):
    """Bounds by output; Refused where the virtual machine computes something else."""
    with np.errstate(all="ignore"):
        wanted = kernel.reference(inputs)
    powers = {}
    for n, handle in wanted.items():
        powers[n] = values.bounds(handle)
        wrong = values.differing(handle.data.value, found[n], powers[n], 0)
        if wrong.any():
            raise Refused("reference", f"{n}: " + values.told(handle.data.value, found[n],
                                                              powers[n], wrong))
    return powers


def in_host_mode(kernel, place, program):
    """The printed text does on the host, warp by warp, what the virtual machine does."""
    if not program.exists():
        return
    data = [f"{n}={place / n}.npy" for n, t in kernel.tensors.items() if "between" in t]
    done = subprocess.run([str(program), str(place / "kernel.mlir"), *launch_words(kernel)[1:],
                           *data], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Refused("host mode", first_line(done.stdout + done.stderr))


def host_values(kernel, place, programs, found, powers):
    """The printed text computes on the host what the virtual machine does, as near as a GPU has to
    come."""
    files = [f"{n}={place / n}.npy" for n, t in kernel.tensors.items() if not t["out"]]
    outputs = {n: place / f"{n}.host.npy" for n, t in kernel.tensors.items() if t["out"]}
    words = launch_words(kernel) + (["--in", *files] if files else [])
    code, text = sluice(programs, "run", place, words + [
        "--device", "host", "--out", *(f"{n}={path}" for n, path in outputs.items())])
    if code not in (0, 1) or not all(path.exists() for path in outputs.values()):
        raise Refused("host values", first_line(text))
    for n, path in outputs.items():
        t = kernel.tensors[n]
        have = values.decoded(t["dtype"], np.load(path)).reshape(t["shape"])
        path.unlink()
        untouched = np.full(t["shape"], -1 if t["dtype"] in known.INTEGERS else np.nan, have.dtype)
        far = np.where((powers[n] > values.EXACT) & (powers[n] < values.UNKNOWN), powers[n] + 1,
                       powers[n])
        wrong = values.differing(found[n], have, far, untouched)
        wrong &= ~((powers[n] == values.UNWRITTEN) & np.isnan(have.astype(np.float64)))
        if wrong.any():
            raise Refused("host values", f"{n}: " + values.told(found[n], have, far, wrong))


def prepare_one(job):
    """Name, family, what went wrong (its step and why) and how many elements no bound tells of."""
    folder, programs, name, seed, steps = job
    place = folder / name
    family, unknown = "", (0, 0)
    try:
        kernel, inputs = draw_one(place, seed)
        family = kernel.family
        check(kernel, place, programs)
        found = run(kernel, place, programs)
        powers = against_reference(kernel, inputs, found)
        unknown = (sum(int((p == values.UNKNOWN).sum()) for p in powers.values()),
                   sum(p.size for p in powers.values()))
        if "host" in steps:
            if kernel.target == "sm_90a":  # that of the program
                in_host_mode(kernel, place, programs / "host-mode")
            host_values(kernel, place, programs, found, powers)
        if "build" in steps:
            build(kernel, place, programs, seed)
    except Refused as wrong:
        return name, family, wrong.step, wrong.why, unknown
    except Exception as wrong:  # of this script: told like any other
        return name, family, "crash", repr(wrong), unknown
    return name, family, "", "", unknown


def build(kernel, place, programs, seed):
    code, text = sluice(programs, "build", place, launch_words(kernel) + ["-o", str(place)])
    if code:
        raise Refused("build", first_line(text))
    pack(kernel, place, seed)


def pack(kernel, place, seed):
    """What a device needs, in few bytes."""
    held = {n: np.load(place / f"{n}.npy") for n in kernel.tensors}
    _, inputs = draw_one(place, seed)
    wanted = kernel.reference(inputs)
    held.update({f"bounds of {n}": values.bounds(h) for n, h in wanted.items()})
    np.savez_compressed(place / "case.npz", **held)
    description = dict(tensors=kernel.tensors, seed=seed, family=kernel.family,
                       arguments=list(kernel.arguments.values()))
    (place / "case.json").write_text(json.dumps(description))
    for left in [*place.glob("*.npy"), *place.glob("*.cu")]:
        left.unlink()


def shortened(why):
    """A reason without names, numbers and places, so that like ones are counted together."""
    why = re.sub(r"\S*kernel\.mlir:\d+:\d+: ", "", why)
    return re.sub(r"-?\d+", "#", re.sub(r"'[^']*'", "'..'", why))[:150]


def prepare(folder, programs, count, seed, steps=("host", "build")):
    """$JOBS at a time, or as many as there are processors."""
    print(f"seed {seed}")
    processes = int(os.environ.get("JOBS", 0)) or None
    jobs = [(folder, programs, f"k{n}", seed * 100003 + n, steps) for n in range(count)]
    with multiprocessing.Pool(processes) as pool:
        results = list(pool.imap_unordered(prepare_one, jobs))
    for name, family, step, why, _ in sorted(r for r in results if r[2]):
        print(f"{name} ({family}) is left out: {step}: {why}")
        if "build" in steps and not (folder / name / "keep").exists():
            shutil.rmtree(folder / name)
    tell(results)
    return 0


def tell(results):
    """Counts by verdict, by family and by reason."""
    reasons = collections.Counter((step, shortened(why)) for _, _, step, why, _ in results if step)
    for (step, why), n in reasons.most_common():
        print(f"{n:5} {step}: {why}")
    drawn = collections.Counter(family for _, family, *_ in results)
    good = collections.Counter(family for _, family, step, *_ in results if not step)
    print(", ".join(f"{family} {good[family]} of {n}" for family, n in drawn.most_common()))
    unknown, elements = (sum(r[4][i] for r in results) for i in (0, 1))
    print(f"of {elements} elements {unknown} have no bound")
    print(f"{sum(good.values())} of {len(results)} kernels are proven and through every step")
