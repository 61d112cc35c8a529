// RUN: not sluice check %s --set X=64x256 Y=64x256 | FileCheck %s
// Whole rows come back as a fragment: the same rows to a warp, other columns to its lanes.
// Expected: R22.
// CHECK: R22 (
sluice.kernel @turn(%X: !sluice.tensor<?x256xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x256xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x256xf32, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x256xf32, reg, blocked>
  %w = sluice.alloc "w" : !sluice.buffer<64x256xf32, reg, acc>
  sluice.fill %v with 0.0 : <64x256xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.copy %v to %x : <64x256xf32, reg, blocked>, <64x256xf32, smem, row>
    sluice.copy %x to %w : <64x256xf32, smem, row>, <64x256xf32, reg, acc>
    sluice.store %w to %Y[%row, %c0] : <64x256xf32, reg, acc>, <?x256xf32>
  } {sluice.name = "t", sluice.pipelined}
}
