"""Runs `sluice trace --json` and prints the figures that other tools are compared by."""

import json
import subprocess


def trace(kernel, *arguments):
    command = ["sluice", "trace", kernel, "--json", *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def qk(*slots):
    return trace("qk", "--target", "ascend910b", "--arch", "public-a2a3", "--set", *slots)


for l1, l0ab, l0c in [(1, 1, 1), (1, 2, 2), (1, 2, 1), (1, 1, 2), (2, 2, 2)]:
    slots = [f"l1_slots={l1}", f"l0ab_slots={l0ab}", f"l0c_slots={l0c}"]
    print(f"qk {' '.join(slots)}: {qk(*slots)['cycles'] / 14:.0f}")

for target in ("sm_90a", "ascend910b"):
    figures = trace("gemm", "--target", target, "--set", "M=4096", "N=4096", "K=4096")
    interval, busy = figures["initiation_interval"], figures["critical_busy"]
    bound = f"{interval / busy} x busy"
    if interval <= 1.05 * busy:
        bound = "bound by the busiest engine"
    gain = "faster than serial" if figures["serial_interval"] > 1.5 * interval else "no overlap"
    print(f"gemm {target}: {bound}, {gain}")
