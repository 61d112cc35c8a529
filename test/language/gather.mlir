// Rows of a tensor that another one names, in front of a product: filled in by threads, beside a
// ring's tiles that TMA brings. Numbers of no row, and rows behind the last number, are zeros.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy n=%t.d/numbers.npy B=%t.d/B.npy --set C=150x144 --expect C=%t.d/takenB.npy
// RUN: sluice explain %s | FileCheck %s --check-prefix=ROLES
// ROLES: gather A
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: gatherTile<ATile, 128, 64, 16, 128>(a[at.slot], 0, 0,
// CUDA-NEXT: Window<const f16>{AGlobal, AExtent0, K, AStride0, 1, row, k1},
// CUDA-NEXT: RowNumbers{nGlobal, nExtent0, row}, thread);
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
sluice.kernel @gathered(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                        %n: !sluice.tensor<?xi32> {sluice.name = "n"},
                        %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                        %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %C, 0 : <?x?xf32>
  %N = sluice.dim %C, 1 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %k] to %a rows %n : !sluice.tensor<?xi32> : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %acc to %C[%row, %col] : <128x128xf32>, <?x?xf32>
}
