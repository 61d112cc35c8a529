#!/usr/bin/env bash
# A tour of the tool on a machine without an accelerator. Arrays, pictures and sources go to out/.
set -euo pipefail
sluice=$1/bin/sluice
mkdir -p out

step() {
  printf '\n== %s\n$ sluice %s\n' "$1" "${*:2}"
  "$sluice" "${@:2}"
}

# array FILE ROWS COLUMNS: a float32 .npy of normal numbers.
array() {
  python3 - "$@" <<'PYTHON'
import array, random, struct, sys
path, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(path)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(array.array("f", (random.gauss(0, 1) for _ in range(rows * columns))).tobytes())
PYTHON
}

printf '== Two arrays: out/a.npy (384 x 512) and out/b.npy (512 x 320)\n'
array out/a.npy 384 512
array out/b.npy 512 320

step 'A tile GEMM for Hopper: free of deadlocks, leftovers and races at any extents' \
  check gemm --set M=512 N=512 K=512
step 'The barriers that were derived for it' barriers gemm
step 'Computed on the virtual Hopper, compared with float64' \
  run gemm --target sm_90a --set dtype=f16 --in A=out/a.npy --in B=out/b.npy \
  --out C=out/c-sm_90a.npy --device sim
step 'The same source on the virtual Ascend core' \
  run gemm --target ascend910b --set dtype=f16 --in A=out/a.npy --in B=out/b.npy \
  --out C=out/c-ascend910b.npy
step 'Its pipeline on the clock of an H100' trace gemm -o out/gemm-h100.html
"$sluice" trace gemm -o out/gemm-h100.svg >/dev/null
step 'On Ascend: ping-pong by flags between pipes' \
  trace gemm --target ascend910b -o out/gemm-ascend910b.html
"$sluice" trace gemm --target ascend910b -o out/gemm-ascend910b.svg >/dev/null
step 'Rows: softmax with one stage, and with the number that pays' \
  trace softmax --set rows=8448 cols=4096 stages=1 -o out/softmax-1-stage.html
step 'The same with four' \
  trace softmax --set rows=8448 cols=4096 stages=4 -o out/softmax-4-stages.html
"$sluice" trace softmax --set rows=8448 cols=4096 stages=1 -o out/softmax-1-stage.svg >/dev/null
"$sluice" trace softmax --set rows=8448 cols=4096 stages=4 -o out/softmax-4-stages.svg >/dev/null
step 'CUDA C++ that says exactly what was checked' emit gemm -o out/gemm.cu

printf '\nWritten to %s:\n' "$PWD/out"
(cd out && ls -1 a.npy b.npy c-*.npy gemm-h100.* gemm-ascend910b.* softmax-*.* gemm.cu)
