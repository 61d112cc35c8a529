// A box of the next tile into L2, by the role that loads, in step with its loads.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: sluice run %s --device host --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: sluice explain %s | FileCheck %s --check-prefix=ROLES
// ROLES: load: warp 4
// ROLES: prefetch A
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: prefetchBoxes<1, 64>(AMap, next, row);
// CUDA: tmaLoad<1, 64, 8192>(a[{{.*}}], AMap,
// RUN: sluice-opt -sluice-to-placed -sluice-to-pipeline -sluice-to-barrier %s | FileCheck %s --check-prefix=BARRIER
// BARRIER: sluice.prefetch {{.*}} box [64, 64] by one
// Its author may leave it to the threads of that role; they alone take what no map describes.
// RUN: sed 's/box .64, 64./& {sluice.loaded_by = "threads"}/' %s > %t.threads.mlir
// RUN: sluice check %t.threads.mlir | FileCheck %s
// RUN: sluice run %t.threads.mlir --device host --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: sluice emit %t.threads.mlir | FileCheck %s --check-prefix=THREADS
// THREADS: prefetchTile<64, 64, 32>(Window<const f16>{AGlobal, {{.*}}}, thread);
// RUN: sed 's/<?x?xf16, align 16>/<?x?xf16>/g' %s > %t.any.mlir
// RUN: sluice run %t.any.mlir --device host --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: sluice emit %t.any.mlir | FileCheck %s --check-prefix=ANY
// ANY: prefetchTile<64, 64,
// RUN: sed 's/box .64, 64./& {sluice.loaded_by = "tensor"}/' %t.any.mlir > %t.tensor.mlir
// RUN: not sluice check %t.tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: {{.*}}: unsupported: sluice.loaded_by = "tensor": boxes of a tensor map need `align 16`, columns that begin and end at multiples of 16 bytes, no clip and at most 256 elements along a side (along columns, or a multiple of 256)
// RUN: sed 's/box .64, 64./& {sluice.loaded_by = "bulk"}/' %s > %t.bulk.mlir
// RUN: not sluice check %t.bulk.mlir 2>&1 | FileCheck %s --check-prefix=BULK
// BULK: error: {{.*}} sluice.loaded_by of a prefetch is "tensor" or "threads"
// RUN: sed 's/box .64, 64./& by one/' %s > %t.by.mlir
// RUN: not sluice check %t.by.mlir 2>&1 | FileCheck %s --check-prefix=BY
// BY: error: {{.*}} `async`, `by` and `on` are of the barrier level; lowering decides who moves a tile
// RUN: sed 's/sm_90a/ascend910b/; s/sluice.stages = 3/sluice.slots = {l1 = 2}/' %s > %t.ascend.mlir
// RUN: not sluice check %t.ascend.mlir 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: error: {{.*}}: unsupported: pipes of Ascend cores have no prefetch into L2; leave it out
// RUN: sed 's/box .64, 64. : <?x?xf16, align 16>/box [64, 64, 2] : <?x?xf16, align 16>/' %s > %t.rank.mlir
// RUN: not sluice check %t.rank.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: has a box of 3 extents for a tensor of rank 2
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: %if nvcc %{ sluice emit %t.threads.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
sluice.kernel @ahead(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %next = arith.addi %k, %c64 : index
    sluice.prefetch %A[%row, %next] box [64, 64] : <?x?xf16, align 16>
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3}
  sluice.store %acc to %C[%row, %col] : <64x64xf32>, <?x?xf32>
}
