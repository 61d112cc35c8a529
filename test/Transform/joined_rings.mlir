// RUN: sluice check %s | FileCheck %s --check-prefix=VERDICT
// RUN: sluice barriers %s | FileCheck %s
// RUN: sed 's/stages = 6/stages = 2/' %s | sluice barriers /dev/stdin | FileCheck %s --check-prefix=APART
// RUN: sluice run %s --random 1 --set A=150x200 B=200x128 C=150x128 --chaos 300 --out C=%t.npy
// RUN: sed 's/stages = 6/stages = 2/' %s > %t.apart.mlir
// RUN: sluice run %t.apart.mlir --random 1 --set A=150x200 B=200x128 C=150x128 --expect C=%t.npy | FileCheck %s --check-prefix=SAME
// RUN: sed 's/stages = 6/stages = 8/' %s | not sluice check /dev/stdin 2>&1 | FileCheck %s --check-prefix=FULL
// Two loops, and tiles in front of them and between: each with slots of its own they need 491520
// bytes, so they take over each other's.
// VERDICT: {{^}}proven: every launch
// CHECK-COUNT-6: full {{.*}} 32768
// CHECK-COUNT-6: empty
// CHECK-NOT:     {{full|empty}}
// CHECK:         takes    a0[6], b0[6]
// CHECK:         fills    a0[6], b0[6]
// APART: full_a0_b0
// APART: full_a1_b1
// APART: full_a2_b2
// APART: full_a3_b3
// SAME: error {{ *}}0 of the largest value
// FULL: R16: kernel 'k' needs {{[0-9]+}} bytes of smem, h100 has 232448
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm {persistent} : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  %a0 = sluice.alloc "a0" : !sluice.buffer<128x64xf16>
  %b0 = sluice.alloc "b0" : !sluice.buffer<64x128xf16>
  sluice.load %A[%row, %c0] to %a0 : <?x?xf16, align 16>, <128x64xf16>
  sluice.load %B[%c0, %c0] to %b0 : <?x?xf16, align 16>, <64x128xf16>
  sluice.mma %acc, %a0, %b0 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  scf.for %k1 = %c0 to %n step %c1 {
    %kk1 = arith.muli %k1, %c64 : index
    %a1 = sluice.alloc "a1" : !sluice.buffer<128x64xf16>
    %b1 = sluice.alloc "b1" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk1] to %a1 : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk1, %c0] to %b1 : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a1, %b1 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 6}
  %a2 = sluice.alloc "a2" : !sluice.buffer<128x64xf16>
  %b2 = sluice.alloc "b2" : !sluice.buffer<64x128xf16>
  sluice.load %A[%row, %c0] to %a2 : <?x?xf16, align 16>, <128x64xf16>
  sluice.load %B[%c0, %c0] to %b2 : <?x?xf16, align 16>, <64x128xf16>
  sluice.mma %acc, %a2, %b2 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  scf.for %k3 = %c0 to %n step %c1 {
    %kk3 = arith.muli %k3, %c64 : index
    %a3 = sluice.alloc "a3" : !sluice.buffer<128x64xf16>
    %b3 = sluice.alloc "b3" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk3] to %a3 : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk3, %c0] to %b3 : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a3, %b3 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 6}
  sluice.store %acc to %C[%row, %c0] : <128x128xf32>, <?x?xf32>
}
