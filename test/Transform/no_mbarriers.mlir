// Where there are no mbarriers, nothing is published: no fence, and no barrier of the CTA for it.
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s
// CHECK: after sluice-allocate
// CHECK-NOT: sluice.fence
// CHECK-NOT: sluice.bar.sync
// CHECK: proven: every launch
// CHECK-NOT: note:
sluice.kernel @twice(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %rows = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf32>
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.load %A[%row, %c0] to %a : <?x?xf32>, <64x64xf32>
  sluice.map ins(%a : !sluice.buffer<64x64xf32>) outs(%c : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    sluice.yield %y : f32
  }
  sluice.store %c to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
}
