#!/usr/bin/env bash
# What needs a GPU: bench/gpu.sh PART [folder of the programs], where PART is
#   smoke, correct    results against float64
#   picks             whatever the planner picks for thousands of shapes, against float64
#   sanitize          small kernels under compute-sanitizer
#   planted           what a GPU and compute-sanitizer show of planted defects
#   gemm, epilogues   in turns with cuBLASLt, beside what the machine model predicts
#   types             the same of tf32, e4m3, e5m2 (which cuBLASLt has not: alone) and s8
#   odd               the same where rows are no multiples of 16 bytes
#   grouped           the same of grouped_gemm; cuBLASLt is called once for each group
#   drawn             tiles that CTAs draw while they run beside those that they know ahead
#   sustained         calls for seconds, ours and cuBLASLt's: time and joules at the power limit
#   micro             what the operations of an SM cost
#   tma               boxes at random places: where the copy engine is right, wrong or traps
#   attention         beside PyTorch's scaled_dot_product_attention; needs PyTorch
#   rows              kernels along rows beside a copy and PyTorch's own; needs PyTorch
#   fuse              functions of sluice.fuse beside PyTorch and torch.compile, or, with
#                     --gradients, the operators of sluice.nn in float64; needs PyTorch
#   differential      random kernels beside the virtual machine: those that differential.py prepared
#                     in FOLDER (third argument), or $COUNT (300) that it draws and builds here
#   texts             programs of the tests beside the virtual machine: those that texts.py prepared
#                     in FOLDER (third argument)
#   predict           the configurations whose time the machine model predicts
#   trace             simulated and measured timelines of two kernels, into $OUT
#   compare           slots of rings against the virtual machine's
#   vendor            programs by hand; needs RuntimeTests, which is in the folder of a full build
#   launch            what a launch costs; needs PyTorch
# All others need the release alone, some of them Python or compute-sanitizer.
# The machine needs the CUDA driver and NVRTC; no compiler, no LLVM, no source tree.
set -uo pipefail
part=${1:-smoke}
programs=${2:-build-release/bin}
sluice=$programs/sluice
here=$(dirname "$0")
rows=$(mktemp)
failed=0
jobs=${JOBS:-$(($(nproc) / 2))} # most of a row is the proof and the compiler, on a processor
trap 'rm -f "$rows"' EXIT

# row NAME ARGUMENTS...: computes on the GPU and compares with float64; outputs are poisoned before.
# Rows run beside each other, so they come in no order; `outcome` waits for the last ones.
row() {
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  result "$RANDOM" "$@" &
}

# result SEED NAME ARGUMENTS...: one row, its line printed as a whole.
result() {
  local seed=$1 name=$2 text status=0
  shift 2
  text=$(timeout 120 "$sluice" run "$@" --target sm_90a --device cuda --random "$seed" --json \
    2>&1) || status=$?
  text=$(tr -d '\n' <<<"$text" | cut -c1-300)
  printf '%-68s exit %d  %s\n' "$name" "$status" "$text" | tee -a "$rows"
}

# Of rows by `row` and by others, which count themselves.
outcome() {
  wait
  failed=$((failed + $(grep -c ' exit [1-9]' "$rows")))
}

gemm() { row "gemm $*" gemm --set "$@"; }
attention() { row "attention $*" attention --set "$@"; }
gather_gemm() { row "gather_gemm $*" gather_gemm --set "$@"; }
weights8() { row "weights8 $*" weights8 --set "$@"; }
two_inputs() { row "two_inputs $*" two_inputs --set "$@"; }
conv2d() { row "conv2d $*" conv2d --set "$@"; }
along() { row "$*" "$1" --set "${@:2}"; } # a kernel along rows
grouped() { row "grouped_gemm $*" grouped_gemm --set "$@"; } # groups of random lengths, some empty

# differential FOLDER: without one, kernels of a seed of their own (host mode needs a full build).
differential() {
  local folder=$1
  if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    python3 "$here/differential.py" prepare "$folder" "$programs" "${COUNT:-300}" || exit 1
  fi
  exec python3 "$here/differential.py" compare "$folder" "$programs"
}

smoke() {
  gemm M=128 N=128 K=64
  gemm M=512 N=512 K=512
  gemm M=1024 N=1024 K=1024 stages=1
  gemm M=1000 N=1000 K=1000 stages=2
  gemm M=333 N=257 K=1000 dtype=bf16        # strides that TMA cannot take: copies by threads
  gemm M=1 N=1 K=1 stages=3
  gemm M=77 N=61 K=45 out=f32
  gemm M=384 N=640 K=320 a=col b=col
  gemm M=264 N=520 K=72 a=col dtype=bf16
  gemm M=256 N=256 K=0
  gemm M=300 N=200 K=128 b=col epilogue=bias_gelu
  gemm M=1000 N=777 K=256 mode=persistent bn=256 epilogue=bias_gelu_tanh
  gemm M=512 N=520 K=128 bn=192 dtype=bf16 epilogue=bias
  gemm M=2048 N=2048 K=4096 epilogue=bias_relu out=f32
  gemm M=333 N=264 K=200 mode=persistent
  gemm M=1000 N=776 K=1024 mode=persistent bn=256 cluster=1x2
  gemm M=1000 N=776 K=1024 mode=persistent cluster=2x2 dtype=bf16
  gemm M=4096 N=2048 K=512 cluster=2x1
  gemm M=3000 N=4104 K=1000 mode=persistent bn=256 dynamic=yes
  gemm M=1000 N=776 K=72 mode=persistent bm=64 bn=64 dynamic=yes epilogue=bias residual=yes
  gemm batch=5 M=333 N=257 K=200 mode=persistent dynamic=yes # copies by threads
  gemm M=1000 N=776 K=4096 mode=streamk
  gemm M=200 N=304 K=2000 mode=streamk bm=64 bn=64 epilogue=bias # several CTAs for each tile
  gemm M=3000 N=4104 K=520 mode=streamk bn=256 residual=yes
  gemm batch=3 M=333 N=257 K=1000 mode=streamk out=f32 # copies by threads
  gemm M=3000 N=4104 K=1000 mode=persistent bn=256 steps=alternate
  gemm M=3000 N=4104 K=520 mode=persistent cluster=2x1 bn=256 steps=alternate b=col
  gemm M=1000 N=1000 K=264 mode=pingpong cluster=2x1
  gemm M=1000 N=776 K=1024 mode=pipelined
  gemm M=333 N=257 K=200 mode=pipelined stages=3 # copies by threads
  gemm M=512 N=520 K=72 mode=pipelined cluster=2x1 epilogue=bias residual=yes
  gemm M=3000 N=776 K=72 mode=pingpong bm=64 bn=64 epilogue=bias_relu
  gemm M=1000 N=776 K=256 mode=persistent bm=256 bn=160 staging=2
  gemm M=1000 N=776 K=256 mode=persistent bm=256 bn=168 b=col
  gemm M=1000 N=776 K=256 bm=192 bn=168
  typed M=1000 N=776 K=1024
  typed M=77 N=61 K=45
  gemm M=1000 N=776 K=256 residual=yes
  gemm M=1000 N=776 K=256 residual=yes beta=yes alpha=yes scales=both epilogue=bias_relu
  gemm M=3000 N=2056 K=512 residual=yes mode=persistent bn=256
  gemm M=3000 N=2056 K=512 residual=yes beta=yes mode=persistent bn=256 cluster=2x1 dtype=bf16
  gemm M=333 N=257 K=200 residual=yes scales=both epilogue=gelu # copies by threads
  gemm M=1000 N=776 K=256 residual=yes out=f32 mode=persistent scales=row
  gemm M=1000 N=776 K=256 scales=both mode=persistent bn=256
  gemm M=40 N=776 K=256 swap=yes residual=yes epilogue=bias_gelu scales=both dtype=bf16
  gemm M=16 N=4096 K=1024 swap=yes residual=yes beta=yes split=2
  gemm M=5 N=9000 K=72 swap=yes bm=8 bn=64 mode=persistent residual=yes out=f32
  gemm M=1000 N=776 K=256 bn=256 staging=0 mode=persistent cluster=2x1 epilogue=bias
  gemm M=333 N=516 K=200 bn=192 staging=0 # pairs
  gemm M=64 N=517 K=515 plan=yes residual=yes # copies by threads, steps shared
  gemm batch=5 M=333 N=264 K=200
  gemm batch=3 M=200 N=257 K=45 a=col b=col
  gemm batch=7 M=1000 N=776 K=256 mode=persistent bn=256 cluster=2x1 residual=yes
  gemm M=64 N=512 K=1000 bm=64 bn=64 split=4
  gemm M=64 N=2048 K=8192 bm=64 bn=64 split=8
  gemm M=1 N=1 K=1 bm=64 bn=64 split=8
  gemm M=128 N=256 K=0 split=2
  gemm M=333 N=257 K=1000 split=2                 # copies by threads
  gemm M=300 N=264 K=1000 split=4 cluster=2x1 dtype=bf16 epilogue=bias_gelu
  gemm batch=3 M=100 N=200 K=712 split=4 bn=256 residual=yes scales=both
  gemm M=300 N=264 K=1008 split=2 dtype=s8 b=col
  gemm M=300 N=264 K=1008 split=8 dtype=e4m3 b=col out=f32
  grouped rows=1000 N=776 K=256
  grouped rows=8192 N=2048 K=1024 groups=64 bn=256
  grouped rows=4000 N=1032 K=520 groups=16 b=col dtype=bf16
  grouped rows=777 N=264 K=72 groups=100 bm=64 bn=64 out=f32
  grouped rows=333 N=257 K=200 groups=5 # copies by threads
  grouped rows=1000 N=520 K=512 groups=7 dtype=e4m3 b=col
  grouped rows=0 N=520 K=512
  grouped rows=300 N=264 K=0
  row "attention_tile" attention_tile
  row "attention_tile bf16" attention_tile --set dtype=bf16
  attention S=777 Skv=900 d=128 causal=yes H=4 Hkv=2
  attention S=300 Skv=277 d=64 causal=yes
  row "qk 14 iterations" qk
  gather_gemm M=1000 N=776 K=1024 tokens=5000
  gather_gemm M=333 N=257 K=45 tokens=100 dtype=bf16
  weights8 M=1000 N=776 K=1024
  weights8 M=77 N=61 K=45 dtype=bf16 # copies by threads
  two_inputs M=1000 N=776 K1=1024 K2=264
  two_inputs M=333 N=257 K1=0 K2=200 # copies by threads
  conv2d N=4 H=28 W=30 C=128 K=72
  conv2d N=2 H=9 W=200 C=3 K=65 R=2 S=5 pad=2 # copies by threads
  along silu_mul rows=33 cols=4096
  along silu_mul rows=1000 cols=4097 dtype=f16
  along rmsnorm rows=33 cols=4096
  along rmsnorm rows=1000 cols=1000 dtype=f32
  along rmsnorm rows=1000 cols=4096 staging=1
  along copy rows=1000 cols=4097
  along add rows=1000 cols=4096
  along bias_gelu rows=1000 cols=4097
  along silu_mul_backward rows=1000 cols=1000
  along layernorm rows=1000 cols=4096
  along softmax rows=1000 cols=4096
  along softmax rows=33 cols=4097 dtype=bf16 # in shifted pieces
  along softmax rows=100 cols=16384 plan=no  # two passes
  along softmax rows=300 cols=16384          # as planned
  along softmax rows=300 cols=16384 parts=8  # warps share a row
  along layernorm rows=300 cols=65536 parts=8 staging=1
  along softmax rows=300 cols=32768 parts=16 # CTAs of a cluster share a row
  along layernorm rows=300 cols=32768 parts=32 staging=1 saved=yes
  along rmsnorm rows=300 cols=131072 parts=64 staging=1
  along quantise rows=300 cols=65536 parts=32
  along argmax rows=300 cols=65536 parts=16
  along layernorm_backward rows=300 cols=32768 parts=16
  along log_softmax rows=100 cols=9001 dtype=f16
  along softmax_backward rows=100 cols=4096
  along cross_entropy rows=1000 cols=4096
  along cross_entropy_backward rows=1000 cols=4097
  along gelu_backward rows=1000 cols=4096
  along scale_bias_relu rows=1000 cols=4097
  along dropout rows=1000 cols=4096 seed=-81985529216486896 stream=7
  along dropout rows=1000 cols=4097 dtype=f16 p=0.5
  along add_dropout rows=1000 cols=4096
  along add_dropout rows=1000 cols=1001 dtype=f32
  along add_rmsnorm rows=1000 cols=4096 saved=yes
  along add_layernorm rows=300 cols=16384 parts=8 saved=yes
  along rmsnorm_backward rows=1000 cols=2048
  along layernorm_backward rows=1000 cols=4097
  along layernorm_backward rows=300 cols=16384
  along layernorm_backward rows=100 cols=20000 weights=no plan=no # two passes
  along norm_weights_backward rows=1000 cols=20000
  along sum_rows rows=1056 cols=4097
  along quantise rows=1000 cols=4096
  along quantise rows=1000 cols=4097 to=e5m2
  along quantise rows=300 cols=16384 parts=8
  along quantise rows=300 cols=30001 parts=16
  along argmax rows=1000 cols=4097
  along argmax rows=100 cols=50001
  along rope rows=1000 heads=32 d=128
  along rope rows=37 heads=100 d=64 tile=heads
  along transpose rows=1000 cols=4096
  along transpose rows=333 cols=257 dtype=f16
  for sizes in "2998 1000" "142 1000" "1001 1002" "4097 99" "264 1001"; do # by TMA, by threads
    for dtype in bf16 f32; do
      along transpose rows=${sizes% *} cols=${sizes#* } dtype=$dtype
    done
  done
  for kernel in $lines; do along $kernel rows=1000 cols=1001 line=yes; done
  along bias_gelu rows=1000 cols=1069 dtype=f16 line=yes
  along scale_bias_relu rows=333 cols=277 line=yes share=2
  along bias_gelu rows=100 cols=3001 dtype=f32 line=yes stages=0
  for kernel in $lines; do along $kernel rows=1000 cols=1001 line=yes stages=0; done
  for kernel in rmsnorm layernorm softmax log_softmax softmax_backward cross_entropy quantise; do
    along $kernel rows=1000 cols=296 stages=0
  done
  for cols in 156 157 256; do
    for kernel in rmsnorm layernorm softmax cross_entropy quantise; do
      along $kernel rows=1000 cols=$cols stages=0 height=16
    done
  done
  along layernorm rows=1000 cols=500 stages=0 height=32
  along bias_gelu rows=1000 cols=1069 stages=0 height=32 line=yes
  along scale_bias_relu rows=1000 cols=3088 dtype=f16 stages=0 height=32
  along add_layernorm rows=1000 cols=1984 stages=0 saved=yes
  along softmax rows=300 cols=8192 parts=8 share=1 stages=0
  along softmax rows=1000 cols=1000 pad=24
  along layernorm rows=100 cols=16384 parts=8 pad=8
}

# shellcheck source=bench/correct.sh
. "$here/correct.sh"

# Programs written at the barrier level. Where a test was skipped or none ran, nothing was shown.
vendor() {
  local status=0 skipped passed
  "$programs/RuntimeTests" --gtest_color=no --gtest_filter='Gpu.*' 2>&1 | tee "$rows" || status=1
  skipped=$(grep -cE '^\[  SKIPPED \] Gpu\.[A-Za-z0-9_]+ \(' "$rows")
  passed=$(grep -cE '^\[       OK \] Gpu\.' "$rows")
  if [ "$skipped" -ne 0 ]; then
    echo "error: $skipped tests were skipped: no usable GPU on this machine" >&2
    status=1
  elif [ "$passed" -eq 0 ]; then
    echo "error: no test ran: is $programs/RuntimeTests the program of a full build?" >&2
    status=1
  fi
  exit "$status"
}

# checked TOOL ARGUMENTS...: a run under compute-sanitizer. What racecheck finds is listed and does
# not count as failed: it need not know every order by mbarriers.
checked() {
  local tool=$1 text status=0 found
  shift
  text=$(timeout 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$sluice" run "$@" \
    --target sm_90a --device cuda --random 1 2>&1) || status=$?
  found=$(grep -oE '(ERROR|RACECHECK) SUMMARY: .*' <<<"$text" | head -1)
  printf '%-9s %-64s exit %d  %s\n' "$tool" "$*" "$status" "${found:-no summary}" | tee -a "$rows"
  if [ "$tool" = racecheck ]; then
    grep -E '^=+ +(Error|Warning|Info|WARN): ' <<<"$text" | sort | uniq -c | sort -rn | head -3
  fi
  [ "$status" -eq 0 ] || [ "$tool" = racecheck ] || failed=$((failed + 1))
}

# Small shapes, one for every way in which code is printed.
sanitize() {
  local small="gemm --set M=256 N=256 K=192 bm=64 bn=64 bk=64"
  for tool in memcheck synccheck racecheck; do
    checked $tool $small stages=2
    checked $tool $small stages=3 a=col b=col epilogue=bias_gelu
    checked $tool $small stages=2 out=f32 staging=2
    checked $tool $small stages=2 mode=persistent
    checked $tool $small stages=2 cluster=2x1
    checked $tool $small stages=2 cluster=2x2 mode=persistent
    checked $tool $small stages=2 split=2
    checked $tool $small stages=2 mode=pipelined
    checked $tool gemm --set M=256 N=256 K=192 bm=128 bn=128 bk=64 stages=2
    checked $tool $small stages=2 mode=pingpong
    checked $tool $small stages=2 mode=persistent residual=yes scales=both
    checked $tool $small stages=2 batch=3 alpha=yes
    checked $tool $small stages=2 swap=yes a_cache=evict_first b_cache=evict_last
    checked $tool gemm --set M=300 N=384 K=192 bm=256 bn=192 stages=3 staging=2 mode=persistent
    checked $tool gemm --set M=77 N=61 K=45 bm=64 bn=64 bk=16 stages=2
    checked $tool $small stages=2 dtype=s8 b=col
    checked $tool $small stages=2 dtype=tf32 b=col out=f16
    checked $tool gemm --set M=77 N=61 K=45 bm=64 bn=64 stages=2 dtype=e4m3 b=col
    checked $tool gemm --set M=256 N=256 K=512 bm=64 bn=64 stages=2 dtype=e4m3 b_dtype=e5m2 b=col \
      promote=2
    checked $tool grouped_gemm --set rows=300 N=136 K=192 groups=5 bm=64 bn=64 stages=2
    checked $tool attention_tile --set queries=64 keys=64 d=64
    checked $tool qk --set iterations=3
  done
}

# pictured NAME SETTINGS...: both timelines of CTA 0 as NAME.svg, .html and .json, and their cycles.
pictured() {
  local name=$1 machine=h100 text status=0
  shift
  nvidia-smi --query-gpu=name --format=csv,noheader | grep -q H200 && machine=h200
  for ending in svg html json; do
    text=$(timeout 120 "$sluice" trace gemm --arch $machine --device cuda --set "$@" \
      -o "${OUT:-.}/$name.$ending" 2>&1) || status=$?
  done
  printf '%-68s exit %d\n' "gemm $*" "$status" | tee -a "$rows"
  sed -n '/^side by side/,$p; /^error/p' <<<"$text"
  [ "$status" -eq 0 ] || failed=$((failed + 1))
}

timelines() {
  pictured gemm-specialised M=4096 N=4096 K=4096
  pictured gemm-persistent M=4096 N=4096 K=4096 mode=persistent
}

# Small shapes: the virtual machine computes them as well.
compare() {
  local small="M=256 N=384 K=320"
  row "slots" gemm --compare --set $small
  row "slots, persistent" gemm --compare --set $small mode=persistent stages=3
  row "slots, cluster 2x1" gemm --compare --set $small mode=persistent bn=256 cluster=2x1
  row "slots, split" gemm --compare --set $small split=2
  row "slots, col col bf16" gemm --compare --set $small a=col b=col dtype=bf16 stages=2
  row "slots, copies by threads" gemm --compare --set M=333 N=71 K=65
  row "slots, qk" qk --compare
  row "slots, grouped_gemm" grouped_gemm --compare --set rows=700 N=264 K=200 groups=5
}

# sustain SETTINGS...: the ratio of speed in short turns; time and joules of calls for seconds.
sustain() {
  local text status=0
  text=$(timeout 120 "$sluice" bench gemm --sustained 2 --set "$@" 2>&1) || status=$?
  printf '%-72s exit %d  %s\n' "gemm $*" "$status" \
    "$(sed -n 's/^  ratio *\([0-9.]*\).*/ratio \1/p; s/^  sustained *//p; /^error/p' <<<"$text" |
      paste -sd' ')" | tee -a "$rows"
  [ "$status" -eq 0 ] || failed=$((failed + 1))
}

sustained() {
  sustain M=8192 N=8192 K=8192 mode=persistent bn=256
  sustain M=8192 N=8192 K=8192 mode=persistent bn=224
  sustain M=16384 N=16384 K=4096 mode=persistent bn=256
  sustain M=4096 N=4096 K=4096 mode=persistent bn=256
  sustain M=4096 N=4096 K=4096 mode=persistent bn=256 group=4
  sustain M=2048 N=2048 K=2048 bn=256 staging=2
  sustain M=8192 N=8192 K=512 mode=persistent bn=256 cluster=2x1 group=1
  sustain M=4000 N=5000 K=3000 mode=persistent bn=256 cluster=2x1
  sustain M=4096 N=11008 K=4096 mode=persistent bn=256 + N=512 bn=128 stages=6 cluster=2x1
  sustain M=64 N=8192 K=8192 bm=64 bn=64 stages=12 b_cache=evict_first
}

drawn() {
  for shape in "M=8192 N=8192 K=8192 bn=256" "M=4096 N=4096 K=4096 bn=256" "M=4096 N=4096 K=4096" \
    "M=8192 N=8192 K=512 bn=256" "M=3000 N=5000 K=1000" "M=2048 N=2048 K=2048"; do
    for dynamic in no yes; do sustain $shape mode=persistent dynamic=$dynamic; done
  done
}

case $part in
smoke) smoke; outcome ;;
correct) correct; outcome ;;
sanitize) sanitize ;;
gemm | epilogues | types | odd | grouped)
  exec python3 "$here/versus.py" "$part" "$programs" "${@:3}"
  ;;
micro) exec "$programs/micro" "$here/micro/kernels.cu" ;;
tma) exec "$programs/tma" "$here/micro/tma.cu" "${@:3}" ;;
attention) exec python3 "$here/attention.py" "$programs" "${@:3}" ;;
rows) exec python3 "$here/rows.py" "$programs" "${@:3}" ;;
fuse) exec python3 "$here/fuse.py" "$programs" "${@:3}" ;;
differential) differential "${3:-}" ;;
texts)
  exec python3 "$here/texts.py" compare "${3:?folder that texts.py has prepared}" "$programs"
  ;;
picks) exec python3 "$here/picks.py" "$programs" "${@:3}" ;;
planted) exec python3 "$here/planted.py" "$programs" ;;
predict) exec python3 "$here/predict.py" "$programs" --measure "${3:-measured.json}" ;;
trace) timelines ;;
compare) compare; outcome ;;
drawn) drawn ;;
sustained) sustained ;;
vendor) vendor ;;
launch) exec python3 "$here/launch.py" "$programs" ;;
*)
  echo "usage: bench/gpu.sh PART [folder of the programs]; PART: smoke, correct, picks, sanitize," \
    "planted, gemm, epilogues, types, odd, grouped, attention, drawn, sustained, micro, tma," \
    "rows, fuse, differential, texts," \
    "predict, trace, compare, vendor, launch" >&2
  exit 2
  ;;
esac
echo
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader
echo "$(wc -l <"$rows") rows, $failed failed"
[ "$failed" -eq 0 ]
