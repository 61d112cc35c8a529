// RUN: sluice check %s --set T=1 Y=128x32 | FileCheck %s
// Each CTA stores where half of an integer of its own says.
// CHECK: {{^}}proven: every launch
// CHECK: tiles-apart: parts of Y that numbers of tensors place do not overlap
sluice.kernel @k(%T: !sluice.tensor<?xi32> {sluice.name = "T"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %m = sluice.dim %T, 0 : <?xi32>
  %g = sluice.grid %m : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
  %x = sluice.scalar_load %T[%g] : <?xi32>
  %half = arith.divsi %x, %c2 : index
  %row = arith.muli %half, %c32 : index
  sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
}
