// A gather by cp.async at the barrier level, and what gathers refuse.
// RUN: %python %S/Inputs/products.py %t.d
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --in A=%t.d/A.npy n=%t.d/numbers.npy --set Y=150x192 --expect Y=%t.d/taken.npy
// RUN: sed 's/ async//' %s > %t.sync.mlir
// RUN: sluice check %t.sync.mlir | FileCheck %s
// RUN: sluice run %t.sync.mlir --in A=%t.d/A.npy n=%t.d/numbers.npy --set Y=150x192 --expect Y=%t.d/taken.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: gatherTileAsync<ATile, 64, 64, 16, 128>(a[0], 0, 0,
// CUDA-NEXT: RowNumbers{nGlobal, M, row},
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// Without the wait the rows may not have come.
// RUN: sed '/cp_async.wait/d' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R22
// What the launch writes is nothing to gather from.
// RUN: sed 's/to %%Y\[%%row/to %%A[%%row/; s/name = "A"/name = "A", sluice.inout/; s/<?x?xf16>$/<?x?xf16, align 16>/' %s > %t.written.mlir
// RUN: not sluice check %t.written.mlir 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: error: {{.*}}: a gather reads A, which this launch may write; gather from tensors that it does not
// RUN: sed 's/smem, row>/smem, row, minor 0>/' %s > %t.turned.mlir
// RUN: not sluice check %t.turned.mlir 2>&1 | FileCheck %s --check-prefix=TURNED
// TURNED: error: {{.*}}: a gather goes by rows into a tile of shared memory whose rows are contiguous; load this tile in a loop with sluice.stages, not transposed
sluice.kernel @taken(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %n: !sluice.tensor<?xi32> {sluice.name = "n"},
                     %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c64 = arith.constant 64 : index
  %M = sluice.dim %n, 0 : <?xi32>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gk = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gk : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, row>
  %h = sluice.alloc "h" : !sluice.buffer<64x64xf16, reg, acc>
  sluice.load %A[%row, %col] to %a rows %n : !sluice.tensor<?xi32> async : <?x?xf16, align 16>, <64x64xf16, smem, row>
  sluice.cp_async.commit
  sluice.cp_async.wait 0
  sluice.bar.sync 0, 128
  sluice.copy %a to %h : <64x64xf16, smem, row>, <64x64xf16, reg, acc>
  sluice.store %h to %Y[%row, %col] : <64x64xf16, reg, acc>, <?x?xf16>
}
