// D = relu(A B) C on pairs of CTAs: a sum of both comes back to tensor memory as numbers of 16 bits,
// in each CTA its rows, and one thread multiplies those of both. Roles and rings.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 1 --set A=500x64 B=64x128 C=128x64 D=500x64 --chaos 20 --out D=%t.npy
// RUN: sluice run %S/operand.ok.mlir --random 1 --set A=500x64 B=64x128 C=128x64 D=500x64 --expect D=%t.npy
// RUN: %if nvcc %{ sluice run %s --random 1 --set A=500x64 B=64x128 C=128x64 D=500x64 --device host --expect D=%t.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/twice.cu
// CODE: tcgen05Mma<64, 128, 256, 2>(tmem + 192, tmemOperand<bf16>(tmem + 128), mnMajor(c, 0),
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/twice.cu %}
// RUN: sluice mutate %s --set A=256x64 B=64x128 C=128x64 D=256x64 --sample 40 --random 3 | FileCheck %s --check-prefix=MUTANTS
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
// The wait for both CTAs is needed.
// RUN: sed '/sluice.wait %%ready/d' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R21 (Defined before read): tcgen05.mma of mma warp 4 of CTA (0) at {{.*}} reads p
sluice.kernel @twice(%A: !sluice.tensor<?x64xbf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<64x128xbf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<128x64xbf16, align 16> {sluice.name = "C"},
                     %D: !sluice.tensor<?x64xf32> {sluice.name = "D", sluice.out})
    attributes {target = "sm_100a", phase = "pipeline", cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %no = arith.constant false
  %M = sluice.dim %A, 0 : <?x64xbf16, align 16>
  %pairs = arith.ceildivsi %M, %c256 : index
  %blocks = arith.muli %pairs, %c2 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %rank = sluice.cluster.rank
  %ofB = arith.muli %rank, %c64 : index
  %ofC = arith.muli %rank, %c32 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16, smem, sw128>
  %c = sluice.alloc "c" : !sluice.buffer<128x32xbf16, smem, sw64>
  %room = sluice.alloc "room" : !sluice.buffer<256x128xf32, smem, row> // for one CTA an SM
  %s = sluice.alloc "s" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %ptm = sluice.alloc "p" at 512 : !sluice.buffer<128x128xbf16, tmem, row>
  %d = sluice.alloc "d" at 768 : !sluice.buffer<128x64xf32, tmem, row>
  %tiles = sluice.pipeline "tiles" over %a, %b, %c : !sluice.buffer<128x64xbf16, smem, sw128>,
      !sluice.buffer<64x64xbf16, smem, sw128>, !sluice.buffer<128x32xbf16, smem, sw64>
      from ["load"] to ["mma"] {empty = "none"} : !sluice.pipeline<1>
  %first = sluice.pipeline "first" over %s : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["relu"] {empty = "none"} : !sluice.pipeline<1>
  %ready = sluice.pipeline "ready" over %ptm : !sluice.buffer<128x128xbf16, tmem, row>
      from ["relu"] to ["mma"] {empty = "none"} : !sluice.pipeline<1>
  %second = sluice.pipeline "second" over %d : !sluice.buffer<128x64xf32, tmem, row>
      from ["mma"] to ["relu"] {empty = "none"} : !sluice.pipeline<1>
  %one = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 5 to 6 {
    sluice.acquire %tiles[%one] : <1>
    sluice.load %A[%row, %c0] to %a : <?x64xbf16, align 16>, <128x64xbf16, smem, sw128>
    sluice.load %B[%c0, %ofB] to %b : <64x128xbf16, align 16>, <64x64xbf16, smem, sw128>
    sluice.load %C[%c0, %ofC] to %c : <128x64xbf16, align 16>, <128x32xbf16, smem, sw64>
    sluice.commit %tiles[%one] : <1>
  }
  sluice.role "mma" warps 4 to 5 leader {
    sluice.wait %tiles[%one] : <1>
    sluice.tcgen05.mma %s, %a, %b accumulate %no ctas 2
        : <128x128xf32, tmem, row>, <128x64xbf16, smem, sw128>, <64x64xbf16, smem, sw128>
    sluice.commit %first[%one] : <1>
    sluice.wait %ready[%one] : <1>
    sluice.tcgen05.mma %d, %ptm, %c accumulate %no ctas 2
        : <128x64xf32, tmem, row>, <128x128xbf16, tmem, row>, <128x32xbf16, smem, sw64>
    sluice.commit %second[%one] : <1>
  }
  sluice.role "relu" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xbf16, reg, row>
    %y = sluice.alloc "y" : !sluice.buffer<128x64xf32, reg, row>
    sluice.wait %first[%one] : <1>
    sluice.copy %s to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.map ins(%x : !sluice.buffer<128x128xf32, reg, row>)
        outs(%p : !sluice.buffer<128x128xbf16, reg, row>) {
    ^bb0(%v: f32):
      %zero = arith.constant 0.0 : f32
      %r = arith.maximumf %v, %zero : f32
      %h = arith.truncf %r : f32 to bf16
      sluice.yield %h : bf16
    }
    sluice.copy %p to %ptm : <128x128xbf16, reg, row>, <128x128xbf16, tmem, row>
    sluice.commit %ready[%one] : <1>
    sluice.wait %second[%one] : <1>
    sluice.copy %d to %y : <128x64xf32, tmem, row>, <128x64xf32, reg, row>
    sluice.store %y to %D[%row, %c0] : <128x64xf32, reg, row>, <?x64xf32>
  }
}
