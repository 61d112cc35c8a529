// A tile that is filled anew holds another value: each value has a ring of its own.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(sluice.kernel(sluice-to-placed,sluice-to-pipeline))' | FileCheck %s
// RUN: sluice check %s --set A=128x128 B=128x128 C=128x128 | FileCheck %s --check-prefix=PROVEN
// RUN: sed s/sm_90a/ascend910b/ %s > %t.ascend.mlir
// RUN: sluice check %t.ascend.mlir --set A=128x128 B=128x128 C=128x128 | FileCheck %s --check-prefix=PROVEN
// RUN: sed 's/, align 16//' %s > %t.threads.mlir
// RUN: sluice check %t.threads.mlir --set A=128x128 B=128x128 C=128x128 | FileCheck %s --check-prefix=PROVEN

// CHECK-LABEL: sluice.kernel @gemm
// CHECK: sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 2>
// CHECK: sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 2>
// CHECK: sluice.alloc "a_2" : !sluice.buffer<128x64xf16, smem, sw128, slots 2>
// CHECK: sluice.alloc "b_2" : !sluice.buffer<64x128xf16, smem, sw128, slots 2>
// CHECK: sluice.pipeline "a_b" over %a, %b
// CHECK: sluice.pipeline "a_2_b_2" over %a_2, %b_2
// CHECK: scf.for
// CHECK: sluice.load %A
// CHECK: sluice.load %B
// CHECK: sluice.wgmma %acc, %[[A:.*]], %[[B:.*]] :
// CHECK: sluice.load %A
// CHECK: sluice.load %B
// CHECK-NOT: sluice.wgmma %acc, %[[A]],
// CHECK: sluice.wgmma %acc,

// The values are those of a kernel that takes one step at a time.
// RUN: sed -e '/^    \/\/ second/,/^    \/\/ end/d' -e 's/%c128 {/%c64 {/' %s > %t.plain.mlir
// RUN: sluice run %s --set A=128x128 B=128x128 C=128x128 --random 3 --device sim --out C=%t.twice.npy
// RUN: sluice run %t.plain.mlir --set A=128x128 B=128x128 C=128x128 --random 3 --device sim --out C=%t.plain.npy
// RUN: cmp %t.twice.npy %t.plain.npy
// RUN: sluice run %t.ascend.mlir --set A=128x128 B=128x128 C=128x128 --random 3 --out C=%t.ascend.npy
// RUN: sed s/sm_90a/ascend910b/ %t.plain.mlir > %t.plain-ascend.mlir
// RUN: sluice run %t.plain-ascend.mlir --set A=128x128 B=128x128 C=128x128 --random 3 --out C=%t.plain.npy
// RUN: cmp %t.ascend.npy %t.plain.npy

// PROVEN: proven:

sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  // Declared outside of the loop that alone uses them.
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
  scf.for %k = %c0 to %K step %c128 {
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
    // second
    %later = arith.addi %k, %c64 : index
    sluice.load %A[%row, %later] to %a : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%later, %c0] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
    // end of the second
  } {sluice.stages = 2}
  sluice.store %acc to %C[%row, %c0] : <128x128xf32>, <?x?xf32>
}
