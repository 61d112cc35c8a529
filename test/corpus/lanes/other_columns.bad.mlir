// RUN: not sluice check %s --set X=64x32 Y=64x32 | FileCheck %s
// What comes back to other columns of a tile comes to other lanes.
// Expected: R22.
// CHECK: R22 (
sluice.kernel @own(%X: !sluice.tensor<?x32xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x32xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %v with 0.0 : <64x64xf32, reg, acc>
  %p = sluice.subview %v[%c0, %c0] : <64x64xf32, reg, acc> to <64x32xf32, reg, acc>
  %q = sluice.subview %v[%c0, %c4] : <64x64xf32, reg, acc> to <64x32xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.copy %p to %x : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
    sluice.copy %x to %q : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
    sluice.store %p to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  } {sluice.name = "t", sluice.pipelined}
}
