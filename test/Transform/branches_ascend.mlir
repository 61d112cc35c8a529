// On Ascend too a ring in a branch of the loop over tiles goes on where the branch is taken.
// RUN: sluice check %s --set count=1 | FileCheck %s
// CHECK: proven: every launch
sluice.kernel @branches(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out},
    %count: index {sluice.name = "count"}) attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %few = arith.cmpi slt, %count, %c2 : index
  %one = arith.index_castui %few : i1 to index
  %least = arith.minsi %one, %count : index
  %early = arith.cmpi slt, %i, %least : index
  scf.if %early {
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
    sluice.fill %acc with 0.0 : <64x64xf32>
    scf.for %t = %c0 to %steps step %c1 {
      %k = arith.muli %t, %c64 : index
      %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
      sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
      %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
      sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
      sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    } {sluice.stages = 2}
    sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
  }
}
