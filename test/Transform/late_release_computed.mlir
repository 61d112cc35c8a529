// An operand that is computed anew in each iteration keeps its product from running on into the next one.
// RUN: sluice check %s --set A=128x256 B=256x64 C=128x64 | FileCheck %s
// RUN: sed 's/stages = 3/stages = 1/' %s > %t.one.mlir
// RUN: sluice run %s --set A=128x256 B=256x64 C=128x64 --random 3 --device sim --out C=%t.c.npy
// RUN: sluice run %t.one.mlir --set A=128x256 B=256x64 C=128x64 --random 3 --device sim --out C=%t.c1.npy
// RUN: cmp %t.c.npy %t.c1.npy

// CHECK: proven: every launch

sluice.kernel @scaled(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %k = %c0 to %K step %c64 {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %twice = sluice.alloc "twice" : !sluice.buffer<64x64xf16>
    sluice.map ins(%a : !sluice.buffer<64x64xf16>) outs(%twice : !sluice.buffer<64x64xf16>) {
    ^bb0(%x: f16):
      %y = arith.addf %x, %x : f16
      sluice.yield %y : f16
    }
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %twice, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3, sluice.name = "k"}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
}
