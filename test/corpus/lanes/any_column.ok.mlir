// RUN: sluice check %s | FileCheck %s
// Whole rows are read again where they have been stored. They may start at any element: then lanes
// store pieces that others hold, so that a warp_sync lies between.
// CHECK: {{^}}proven: every launch
sluice.kernel @twice(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c8 : index
  %n = arith.ceildivsi %N, %c256 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c8 : index
  %v = sluice.alloc "v" : !sluice.buffer<8x256xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %col = arith.muli %t, %c256 : index
    sluice.load %X[%row, %col] to %v : <?x?xf32>, <8x256xf32, reg, blocked>
    sluice.store %v to %Y[%row, %col] : <8x256xf32, reg, blocked>, <?x?xf32>
    sluice.warp_sync
    sluice.load %Y[%row, %col] to %v : <?x?xf32>, <8x256xf32, reg, blocked>
    sluice.warp_sync
    sluice.store %v to %Y[%row, %col] : <8x256xf32, reg, blocked>, <?x?xf32>
  } {sluice.name = "t", sluice.pipelined}
}
