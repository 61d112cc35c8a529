#!/bin/sh
# Runs what needs a GPU, from prebuilt programs: bench/gpu.sh smoke [folder of the programs].
# The machine needs the CUDA driver and NVRTC; no compiler, no LLVM, no source tree.
set -eu
verb=${1:-smoke}
programs=${2:-build/bin}

case $verb in
smoke)
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader || true
  log=$(mktemp)
  status=0
  "$programs/RuntimeTests" --gtest_filter='Gpu.*' >"$log" 2>&1 || status=$?
  cat "$log"
  # Where no test ran, nothing was shown.
  if grep -q 'SKIPPED' "$log"; then
    echo "error: tests were skipped: no usable GPU on this machine" >&2
    status=1
  fi
  rm -f "$log"
  exit "$status"
  ;;
*)
  echo "usage: bench/gpu.sh smoke [folder of the programs]" >&2
  exit 2
  ;;
esac
