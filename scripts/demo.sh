#!/usr/bin/env bash
# A tour of the tool on a machine without an accelerator. Pictures and sources go to out/.
set -euo pipefail
sluice=$1/bin/sluice
mkdir -p out

step() {
  printf '\n== %s\n$ sluice %s\n' "$1" "${*:2}"
  "$sluice" "${@:2}"
}

step 'A tile GEMM for Hopper: proven free of deadlocks and races' \
  check gemm --set M=512 N=512 K=512
step 'The barriers that were derived for it' barriers gemm
step 'Computed on the virtual machine, compared with float64' \
  run gemm --set M=256 N=256 K=256 --random 1 --device sim
step 'Its pipeline on the clock of an H100' trace gemm -o out/gemm-h100.html
"$sluice" trace gemm -o out/gemm-h100.svg >/dev/null
step 'The same source for Ascend: ping-pong by flags between pipes' \
  trace gemm --target ascend910b -o out/gemm-ascend910b.html
"$sluice" trace gemm --target ascend910b -o out/gemm-ascend910b.svg >/dev/null
step 'CUDA C++ that says exactly what was proven' emit gemm -o out/gemm.cu

printf '\nWritten:\n'
ls -1 out/gemm-h100.html out/gemm-h100.svg out/gemm-ascend910b.html out/gemm-ascend910b.svg out/gemm.cu
