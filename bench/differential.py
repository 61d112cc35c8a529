#!/usr/bin/env python3
"""Random tile-level kernels: what a GPU computes against the virtual machine.

differential.py prepare FOLDER PROGRAMS [COUNT [SEED]]   draws, proves, runs and builds them here
differential.py draw FOLDER PROGRAMS [COUNT [SEED [TARGET]]]  the same without building
differential.py compare FOLDER PROGRAMS                  runs the cubins on a GPU (needs PyTorch)

TARGET, as sm_100a, of which no GPU is needed: what is drawn is run on the virtual machine and in
host mode alone. Needs NumPy. A kernel that is not proven is left out and counted. What is run is
compared with a reference (differential/known.py), which also says how far a GPU may be, element by
element. PROGRAMS is the folder of sluice and libsluice_rt.so; with a program host-mode
(test/unit/Emit) there the operations of the printed text on the host are compared with the virtual
machine's (of sm_90a), and always its values.
"""

import pathlib
import random
import sys


def main():
    verb, folder, programs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if verb in ("prepare", "draw"):
        from differential.prepare import prepare
        from differential.tiles import Kernel
        Kernel.target = sys.argv[6] if len(sys.argv) > 6 else Kernel.target
        count = int(sys.argv[4]) if len(sys.argv) > 4 else 300
        seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(2**31)
        steps = ("host", "build") if verb == "prepare" else ("host",)
        return prepare(folder, programs, count, seed, steps)
    from differential.compare import compare, work
    return compare(folder, programs) if verb == "compare" else work(folder, programs, sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
