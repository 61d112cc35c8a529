// RUN: sluice check %s | FileCheck %s
// CTAs go over the tiles in steps of the grid, in groups of four rows of tiles.
// CHECK: {{^}}proven: every launch
// CHECK-NOT: apart
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c132 = arith.constant 132 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %gn = arith.ceildivsi %N, %c32 : index
  %all = arith.muli %gm, %gn : index
  %ctas = arith.minsi %all, %c132 : index
  %cta = sluice.grid %ctas : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
  %width = arith.muli %gn, %c4 : index
  scf.for %tile = %cta to %all step %ctas {
    %group = arith.divsi %tile, %width : index
    %first = arith.muli %group, %c4 : index
    %left = arith.subi %gm, %first : index
    %size = arith.minsi %left, %c4 : index
    %in = arith.remsi %tile, %width : index
    %down = arith.remsi %in, %size : index
    %j = arith.divsi %in, %size : index
    %i = arith.addi %first, %down : index
    %row = arith.muli %i, %c32 : index
    %col = arith.muli %j, %c32 : index
    sluice.store %r to %Y[%row, %col] : <32x32xf32, reg, blocked>, <?x?xf32>
  }
}
