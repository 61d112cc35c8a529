// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sed 's/, sluice.split = 4//' %s > %t.one.mlir
// RUN: sluice check %t.one.mlir | FileCheck %s
// RUN: sluice run %t.one.mlir --device sim --random 3 --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 --out C=%t.npy
// RUN: sluice run %s --device sim --random 3 --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 --expect C=%t.npy
// RUN: sluice run %t.one.mlir --device sim --random 3 --set A=64x8 B=8x64 D=8x64 bias=1x64 C=64x64 --out C=%t.npy
// RUN: sluice run %s --device sim --random 3 --set A=64x8 B=8x64 D=8x64 bias=1x64 C=64x64 --expect C=%t.npy
// Two products of one loop, whose steps four CTAs of a cluster share: each has a quarter of the
// steps, and then the sums of a quarter of the columns, of all four. What is computed with the sums
// is so narrow too: both sums, the bias beside them, the result.
//
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// DUMP-LABEL: after sluice-map-grid
// DUMP:       [[ALL:%[0-9]+]] = arith.ceildivsi %A.dim1, %c64
// DUMP:       %rank = sluice.cluster.rank
// DUMP:       [[STEPS:%[0-9]+]] = arith.ceildivsi [[ALL]], %c4
// DUMP-NEXT:  [[FIRST:%[0-9]+]] = arith.muli %rank, [[STEPS]]
// DUMP-NEXT:  scf.for [[T:%[a-z0-9]+]] = %c0 to [[STEPS]]
// DUMP-NEXT:    [[STEP:%[0-9]+]] = arith.addi [[FIRST]], [[T]]
// DUMP-NEXT:    arith.muli [[STEP]], %c64
// DUMP:       sluice.cluster.sum %acc to %sum_acc place %rank : <64x64xf32>, <64x16xf32>
// DUMP:       sluice.cluster.sum %gate to %sum_gate place %rank : <64x64xf32>, <64x16xf32>
// DUMP:       sluice.load %bias[%c0, %{{.*}}] to %v : <1x?xf32>, <1x16xf32>
// DUMP:       sluice.map ins(%sum_acc, %sum_gate, %v : !sluice.buffer<64x16xf32>, !sluice.buffer<64x16xf32>, !sluice.buffer<1x16xf32>) outs(%c : !sluice.buffer<64x16xf16>)
// DUMP:       sluice.store %c to %C{{.*}} : <64x16xf16>
// DUMP-LABEL: after sluice-stage-stores
// DUMP:       %parts_acc = sluice.alloc "parts_acc" : !sluice.buffer<256x16xf32, smem, sw64>
// DUMP:       sluice.cluster.sum %acc to %sum_acc place %rank through %parts_acc
// DUMP-LABEL: after sluice-allocate
// DUMP:       sluice.mbarrier.init %full_parts_acc count 1 by one
// DUMP:       sluice.mbarrier.arrive_expect_tx %full_parts_acc[%c0] bytes 16384 by one
// DUMP-COUNT-4: sluice.remote.copy {{.*}} %full_parts_acc
// DUMP-NEXT:  sluice.mbarrier.arrive_expect_tx %full_parts_gate[%c0] bytes 16384 by one
// DUMP-COUNT-4: sluice.remote.copy {{.*}} %full_parts_gate
// DUMP-NEXT:  sluice.mbarrier.wait %full_parts_acc[%c0], %c0
// DUMP:       sluice.cluster.arrive relaxed
// DUMP-NEXT:  sluice.cluster.wait
//
// What every pass leaves is accepted again as it stands.
// RUN: %python %S/Inputs/after.py sluice-split-roles < %t > %t.mlir
// RUN: sluice check %t.mlir --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 | FileCheck %s
//
// Without the end that all wait for, a CTA might leave while a peer still copies to it.
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 | FileCheck %s
// RUN: sed '/cluster.arrive relaxed/,/cluster.wait/d' %t.low.mlir > %t.leaves.mlir
// RUN: not sluice check %t.leaves.mlir --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 | FileCheck %s --check-prefix=LEAVES
// LEAVES: R10 (Nothing in flight at exit)
//
// Nor may the sums begin before the parts are there.
// RUN: sed '/mbarrier.wait %full_parts_acc/d' %t.low.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir --set A=100x1000 B=1000x104 D=1000x104 bias=1x104 C=100x104 | FileCheck %s --check-prefix=EARLY
// EARLY: R22 (No race)
sluice.kernel @gated(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %D: !sluice.tensor<?x?xf16, align 16> {sluice.name = "D"},
                     %bias: !sluice.tensor<1x?xf32> {sluice.name = "bias"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %C, 0 : <?x?xf16, align 16>
  %N = sluice.dim %C, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  %gate = sluice.alloc "gate" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  sluice.fill %gate with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    %d = sluice.alloc "d" : !sluice.buffer<64x64xf16>
    sluice.load %D[%k, %col] to %d : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.mma %gate, %a, %d : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 2, sluice.split = 4}
  %v = sluice.alloc "v" : !sluice.buffer<1x64xf32>
  sluice.load %bias[%c0, %col] to %v : <1x?xf32>, <1x64xf32>
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf16>
  sluice.map ins(%acc, %gate, %v : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>, !sluice.buffer<1x64xf32>)
      outs(%c : !sluice.buffer<64x64xf16>) {
  ^bb0(%x: f32, %g: f32, %w: f32):
    %p = arith.mulf %x, %g : f32
    %s = arith.addf %p, %w : f32
    %y = arith.truncf %s : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] : <64x64xf16>, <?x?xf16, align 16>
}
