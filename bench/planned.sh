#!/usr/bin/env bash
# bench/planned.sh [folder of the programs]: what `sluice plan` puts first for nine shapes,
# predicted and measured beside cuBLASLt. Needs a GPU and the release.
set -uo pipefail
sluice=${1:-build-release/bin}/sluice
failed=0
while read -r shape; do
  best=$("$sluice" plan gemm --set $shape | sed -n 2p)
  settings=$(sed 's/.*\(bm=.*\)/\1/' <<<"$best")
  predicted=$(awk '{print $3}' <<<"$best")
  text=$(timeout 120 "$sluice" bench gemm --target sm_90a --set $shape $settings --json 2>&1) ||
    failed=$((failed + 1))
  measured=$(sed -n 's/.*"ms": \[[^,]*, \([^,]*\),.*"vendor_ms".*/\1/p' <<<"$text")
  ratio=$(sed -n 's/.*"ratio": \[[^,]*, \([^,]*\),.*/\1/p' <<<"$text")
  if [ -z "$measured" ]; then
    printf '%-26s %-66s %s\n' "$shape" "$settings" "$text"
    continue
  fi
  printf '%-26s %-66s predicted %s ms  measured %.4f ms  ratio to cuBLASLt %.3f\n' \
    "$shape" "$settings" "$predicted" "$measured" "$ratio"
done <<'SHAPES'
M=8192 N=8192 K=8192
M=4096 N=4096 K=4096
M=2048 N=2048 K=2048
M=1024 N=1024 K=1024
M=16384 N=16384 K=4096
M=8192 N=8192 K=512
M=64 N=8192 K=8192
M=4000 N=5000 K=3000
M=4096 N=11008 K=4096
SHAPES
exit "$failed"
