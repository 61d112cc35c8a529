// RUN: sluice check %s | FileCheck %s
// A branch on an integer of a tensor, without a barrier: either way in each iteration.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %Y, 0 : <?x32xf32>
  %tiles = arith.ceildivsi %M, %c32 : index
  %i = sluice.grid %c1 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
  
  scf.for %tile = %c0 to %tiles step %c1 {
    %row = arith.muli %tile, %c32 : index
    %len = sluice.scalar_load %L[%tile] : <?xi32>
    %u = sluice.uniform %len : index
    %work = arith.cmpi sgt, %u, %c0 : index
    scf.if %work {
      sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
    }
  }
}
