# The rows of `bench/gpu.sh correct`, which reads this: every kernel, type and epilogue against
# float64. `row`, `gemm` and the like are there.
# shellcheck shell=bash

# typed SETTINGS...: with operands of every type that is not of 16 bits.
typed() {
  for dtype in tf32 e4m3 e5m2 s8; do gemm "$@" dtype=$dtype b=col; done
}

pointwise="copy add bias_gelu silu_mul silu_mul_backward gelu_backward scale_bias_relu
  dropout add_dropout cross_entropy_backward"
lines="copy add silu_mul silu_mul_backward gelu_backward" # whose rows may be one line of numbers
folding="rmsnorm layernorm softmax log_softmax softmax_backward cross_entropy add_rmsnorm
  add_layernorm"

correct() {
  for dtype in f16 bf16; do
    for layout in "row row" "row col" "col row" "col col"; do
      set -- $layout
      for shape in "M=256 N=384 K=512" "M=129 N=127 K=65" "M=640 N=72 K=1000"; do
        for stages in 1 2 4; do gemm $shape dtype=$dtype a=$1 b=$2 stages=$stages; done
      done
    done
  done
  for shape in "M=256 N=384 K=512" "M=129 N=127 K=65" "M=640 N=72 K=1008" "M=512 N=520 K=4096"; do
    for tile in "bm=64 bn=64" "bm=128 bn=128" "bm=128 bn=256"; do
      gemm $shape mode=streamk $tile
      gemm $shape mode=streamk $tile dtype=bf16 b=col epilogue=bias_relu residual=yes
    done
    for out in auto f16 bf16 f32; do typed $shape out=$out; done
    for stages in 1 2; do typed $shape stages=$stages; done
    typed $shape out=f16 epilogue=bias_relu
    typed $shape mode=persistent bn=256
    typed $shape cluster=2x1
  done
  gemm M=77 N=61 K=304 dtype=s8 b=col out=s32
  for d in 64 128 256; do
    for causal in no yes; do
      for shape in "S=777 Skv=900" "S=900 Skv=777" "S=1 Skv=1000" "S=128 Skv=128" "S=300 Skv=1"; do
        attention B=2 H=4 Hkv=2 $shape d=$d causal=$causal
        attention B=1 H=3 Hkv=3 $shape d=$d causal=$causal dtype=f16
      done
    done
  done
  attention B=3 H=8 Hkv=1 S=1000 Skv=2000 causal=yes
  attention S=100 Skv=0
  attention S=0 Skv=100
  for kernel in $pointwise $folding; do
    for dtype in bf16 f16 f32; do
      for cols in 1 3 8 255 1000 1024 2048; do
        along $kernel rows=33 cols=$cols dtype=$dtype
        along $kernel rows=5000 cols=$cols dtype=$dtype stages=2
      done
    done
    along $kernel rows=3000 cols=4096
    along $kernel rows=1 cols=4095 dtype=f16 stages=3
    along $kernel rows=0 cols=64
  done
  for kernel in $lines; do
    for line in no yes; do
      for dtype in bf16 f16 f32; do
        for cols in 1 3 255 1000 4096 4097; do
          along $kernel rows=33 cols=$cols dtype=$dtype line=$line
          along $kernel rows=5001 cols=$cols dtype=$dtype line=$line stages=2
          along $kernel rows=5001 cols=$cols dtype=$dtype line=$line share=4
        done
        along $kernel rows=1 cols=1 dtype=$dtype line=$line
        along $kernel rows=3 cols=5 dtype=$dtype line=$line
        along $kernel rows=0 cols=64 dtype=$dtype line=$line
      done
    done
  done
  for kernel in $pointwise $folding; do
    [ $kernel = cross_entropy ] && continue # nothing to stage
    for dtype in bf16 f16 f32; do
      along $kernel rows=3001 cols=1000 dtype=$dtype staging=1
      along $kernel rows=700 cols=2048 dtype=$dtype staging=1 stages=2
    done
  done
  for kernel in $folding; do # two passes
    for cols in 4353 8192 16384 50001; do
      along $kernel rows=133 cols=$cols # as planned
      along $kernel rows=133 cols=$cols plan=no
      along $kernel rows=9 cols=$cols dtype=f32 stages=2 plan=no
    done
    [ $kernel = cross_entropy ] && continue
    for cols in 64 1000 8192 16384 50008; do # warps share a row
      for staging in 0 1; do
        [ "$staging" = 1 ] && [ $((cols % 64)) -ne 0 ] && continue # TMA stores no such rows
        along $kernel rows=300 cols=$cols parts=8 staging=$staging
        along $kernel rows=9 cols=$cols parts=8 staging=$staging dtype=f32 stages=2
      done
    done
    for parts in 16 32 64; do # CTAs of a cluster do
      for cols in 512 2560 32768 50048; do
        for staging in 0 1; do
          [ "$staging" = 1 ] && [ $((cols % (8 * parts))) -ne 0 ] && continue
          along $kernel rows=300 cols=$cols parts=$parts staging=$staging
          along $kernel rows=9 cols=$cols parts=$parts staging=$staging dtype=f32 stages=2
        done
      done
    done
  done
  backward
  others
  along silu_mul rows=2 cols=262144
  along silu_mul rows=7 cols=100003 dtype=f32
  for staging in auto 0 2; do
    for steps in forward alternate; do
      for shape in "M=4096 N=4096 K=64" "M=1000 N=5000 K=520" "M=100 N=72 K=4096"; do
        gemm $shape mode=persistent dynamic=yes staging=$staging steps=$steps
        gemm $shape mode=persistent dynamic=yes staging=$staging steps=$steps bm=64 bn=64 stages=1
      done
    done
  done
  for promote in auto 1 4; do
    for mode in auto persistent; do
      gemm M=640 N=520 K=4100 dtype=e4m3 b_dtype=e5m2 b=col out=f32 promote=$promote mode=$mode
      gemm M=512 N=520 K=4096 dtype=e5m2 b_dtype=e4m3 b=col out=f32 promote=$promote mode=$mode
    done
  done
  few
  sums
}

# Norms on the way back: sums of weight gradients in registers, or by a kernel of their own.
backward() {
  for dtype in bf16 f16 f32; do
    for kernel in rmsnorm_backward layernorm_backward; do
      for cols in 1 3 8 255 1000 1024 2048; do
        along $kernel rows=33 cols=$cols dtype=$dtype
        along $kernel rows=5000 cols=$cols dtype=$dtype stages=2
      done
      for cols in 64 1000 8192; do # warps share a row
        along $kernel rows=300 cols=$cols parts=8 dtype=$dtype
      done
      for cols in 4608 8192 16384 50001; do # two passes
        along $kernel rows=133 cols=$cols weights=no dtype=$dtype plan=no
        along $kernel rows=133 cols=$cols weights=auto dtype=$dtype # as planned
      done
      along $kernel rows=0 cols=64 dtype=$dtype
    done
    for cols in 1 3 1000 4097 50001; do
      along norm_weights_backward rows=5000 cols=$cols dtype=$dtype
      along norm_weights_backward rows=33 cols=$cols dtype=$dtype mean=no lines=8
      along sum_rows rows=1056 cols=$cols dtype=$dtype
      along sum_rows rows=3 cols=$cols dtype=$dtype
    done
    for kernel in rmsnorm layernorm; do
      along $kernel rows=300 cols=1000 dtype=$dtype saved=yes
      along $kernel rows=300 cols=8192 dtype=$dtype saved=yes affine=no
      along $kernel rows=300 cols=8192 dtype=$dtype saved=yes parts=8
      along add_$kernel rows=300 cols=1000 dtype=$dtype saved=yes
      along add_$kernel rows=300 cols=8192 dtype=$dtype saved=yes parts=8
    done
  done
}

# What is no map or fold of one type; rows that lie apart.
others() {
  for dtype in bf16 f16 f32; do
    for cols in 1 3 8 255 1000 2048 4097 16384 50001; do
      along quantise rows=333 cols=$cols dtype=$dtype
      along argmax rows=333 cols=$cols dtype=$dtype
      along quantise rows=33 cols=$cols dtype=$dtype to=e5m2 stages=2
      along transpose rows=333 cols=$cols dtype=$dtype
      along transpose rows=1024 cols=$cols dtype=$dtype
    done
    for cols in 64 1000 8192 40000; do along quantise rows=300 cols=$cols parts=8 dtype=$dtype; done
    for d in 16 64 128 256; do
      along rope rows=1000 heads=8 d=$d dtype=$dtype
      along rope rows=1 heads=1 d=$d dtype=$dtype stages=1
    done
    for kernel in $pointwise $folding quantise; do
      for pad in 1 8 24; do
        along $kernel rows=300 cols=1000 pad=$pad dtype=$dtype
        along $kernel rows=30 cols=9000 pad=$pad dtype=$dtype
      done
    done
  done
}

# Products that are no plain gemm: rows by number, weights of 8 bits, two pairs of inputs,
# convolutions.
sums() {
  for dtype in f16 bf16; do
    for shape in "M=256 N=384 K=512" "M=129 N=127 K=65" "M=640 N=80 K=1000" "M=1 N=2048 K=4096"; do
      for stages in 1 2; do weights8 $shape dtype=$dtype stages=$stages; done
      weights8 $shape dtype=$dtype bm=64 bk=64 stages=4 out=f32
    done
    for tokens in 1 300 100000; do
      for stages in 1 4; do
        gather_gemm M=640 N=384 K=512 tokens=$tokens dtype=$dtype stages=$stages
        gather_gemm M=129 N=127 K=65 tokens=$tokens dtype=$dtype stages=$stages bm=64 out=f32
      done
    done
    for depth in "K1=512 K2=512" "K1=1000 K2=72" "K1=65 K2=1" "K1=0 K2=200" "K1=200 K2=0"; do
      for shape in "M=256 N=384" "M=129 N=127" "M=640 N=72"; do
        two_inputs $shape $depth dtype=$dtype
        two_inputs $shape $depth dtype=$dtype stages=1 bm=64 bn=256 out=f32
      done
    done
    for filter in "R=3 S=3 pad=1" "R=3 S=3 pad=0" "R=1 S=1 pad=0" "R=5 S=2 pad=4" \
      "R=7 S=7 pad=3"; do
      for shape in "H=28 W=28 C=128 K=128" "H=7 W=7 C=512 K=72" "H=9 W=201 C=3 K=65"; do
        conv2d N=3 $shape $filter dtype=$dtype
        conv2d N=2 $shape $filter dtype=$dtype bq=128 bk=128 stages=2 out=f32
      done
    done
  done
}

# Few rows: C^T, with all that may stand beside it.
few() {
  local vectors="epilogue=bias_gelu scales=both"
  for b in row col; do
    for dtype in f16 bf16; do
      gemm M=7 N=1000 K=520 swap=yes dtype=$dtype b=$b $vectors
      gemm M=61 N=712 K=333 swap=yes bm=32 bn=256 dtype=$dtype b=$b $vectors
      gemm M=16 N=2048 K=4096 swap=yes bm=16 bn=64 split=2 dtype=$dtype b=$b $vectors
      gemm M=40 N=30000 K=256 swap=yes bn=64 mode=persistent dtype=$dtype b=$b out=f32 $vectors
    done
    for M in 1 8 13 24 32 48 63; do gemm M=$M N=2056 K=1000 b=$b plan=yes epilogue=bias; done
    gemm M=40 N=200 K=400 batch=3 b=$b swap=yes bm=40 bn=64 epilogue=bias
  done
  gemm M=5 N=71 K=65 swap=yes $vectors # by threads
  gemm M=16 N=512 K=512 dtype=s8 b=col out=f16 swap=yes $vectors
  gemm M=16 N=512 K=512 dtype=e4m3 b=col swap=yes epilogue=bias
}
