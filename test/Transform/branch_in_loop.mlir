// What a branch in a loop loads has the loop's stages too; the ring goes on where the branch is taken.
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: // a {{ *}}3 {{ *}}8192
// RUN: %python %S/Inputs/even_blocks.py %t
// RUN: sluice run %s --device sim --in A=%t.a.npy B=%t.b.npy --set C=130x72 --expect C=%t.c.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: error {{ *}}0
sluice.kernel @even(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %rest = arith.remsi %t, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    scf.if %even {
      %k = arith.muli %t, %c64 : index
      %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
      sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
      %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
      sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
      sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    }
  } {sluice.stages = 3}
  sluice.store %acc to %C[%row, %col] : <64x64xf32>, <?x?xf32, align 16>
}
