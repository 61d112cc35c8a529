// Two products of one tile: its ring goes back once, late, behind the first of them.
// RUN: sluice check %s --set A=128x256 B=256x128 C=128x64 D=128x64 --dump-after-each 2>&1 | FileCheck %s
// RUN: sed 's/stages = 3/stages = 1/' %s > %t.one.mlir
// RUN: sluice run %s --set A=128x256 B=256x128 C=128x64 D=128x64 --random 3 --device sim --out C=%t.c.npy D=%t.d.npy
// RUN: sluice run %t.one.mlir --set A=128x256 B=256x128 C=128x64 D=128x64 --random 3 --device sim --out C=%t.c1.npy D=%t.d1.npy
// RUN: cmp %t.c.npy %t.c1.npy
// RUN: cmp %t.d.npy %t.d1.npy

// CHECK-LABEL: after sluice-load-ahead
// CHECK:       sluice.pipeline "a_b" over
// CHECK:       sluice.pipeline "g" over
// CHECK:       sluice.wgmma.wait 1
// CHECK-NEXT:  arith.cmpi
// CHECK-NEXT:  scf.if
// CHECK-NEXT:  sluice.release %a_b
// CHECK:       sluice.wgmma.wait 1
// CHECK-NEXT:  arith.cmpi
// CHECK-NEXT:  scf.if
// CHECK-NEXT:  sluice.release %g
// CHECK-NOT:   sluice.wgmma.wait 1
// CHECK:       sluice.wgmma.wait 0
// CHECK-LABEL: after sluice-split-roles
// CHECK:       proven: every launch

sluice.kernel @gated(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                     %D: !sluice.tensor<?x?xf32> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %up = sluice.alloc "up" : !sluice.buffer<64x64xf32>
  sluice.fill %up with 0.0 : <64x64xf32>
  %gate = sluice.alloc "gate" : !sluice.buffer<64x64xf32>
  sluice.fill %gate with 0.0 : <64x64xf32>
  scf.for %k = %c0 to %K step %c64 {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %up, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %g = sluice.alloc "g" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c64] to %g : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %gate, %a, %g : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3, sluice.name = "k"}
  sluice.store %up to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
  sluice.store %gate to %D[%row, %c0] : <64x64xf32>, <?x?xf32>
}
