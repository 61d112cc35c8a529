// RUN: sluice check %s | FileCheck %s
// One number of a CTA, split into row and column.
// CHECK: {{^}}proven: every launch
// CHECK-NOT: apart
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c32 = arith.constant 32 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %gn = arith.ceildivsi %N, %c32 : index
  %all = arith.muli %gm, %gn : index
  %pid = sluice.grid %all : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
  %i = arith.divsi %pid, %gn : index
  %j = arith.remsi %pid, %gn : index
  %row = arith.muli %i, %c32 : index
  %col = arith.muli %j, %c32 : index
  sluice.store %r to %Y[%row, %col] : <32x32xf32, reg, blocked>, <?x?xf32>
}
