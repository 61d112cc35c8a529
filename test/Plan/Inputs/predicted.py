"""predicted.py LEAST MOST SHAPE...: what `sluice plan gemm --target sm_100a` predicts beside what
the virtual machine takes for the whole launch: of each shape for the first settings of the list,
those at a quarter and those in the middle of it. Says of each quotient whether it lies within."""

import json
import re
import subprocess
import sys


def sluice(verb, *words):
    command = ["sluice", verb, "gemm", "--target", "sm_100a", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


least, most = float(sys.argv[1]), float(sys.argv[2])
for shape in sys.argv[3:]:
    candidates = json.loads(sluice("plan", "--json", "--set", *shape.split()))["candidates"]
    for at in (0, len(candidates) // 4, len(candidates) // 2):
        settings, cycles = candidates[at]["settings"], candidates[at]["cycles"]
        timed = sluice("bench", "--device", "sim", "--set", *shape.split(), *settings.split())
        simulated = int(re.search(r"(\d+) cycles", timed).group(1))
        word = "within" if least <= cycles / simulated <= most else "beyond"
        print(f"{word} {shape} {settings}: {cycles:.0f} {simulated} {cycles / simulated:.2f}")
