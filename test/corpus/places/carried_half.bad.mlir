// RUN: not sluice check %s --set T=1 X=1 Y=4096x32 | FileCheck %s
// half_of_a_number.bad with the half carried on to the next iteration.
// CHECK: {{^}}violated
// CHECK: R27
sluice.kernel @k(%T: !sluice.tensor<?xi32> {sluice.name = "T"}, %X: !sluice.tensor<?xi32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %n = sluice.dim %T, 0 : <?xi32>
  %m = sluice.dim %X, 0 : <?xi32>
  %g = sluice.grid %m : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
  %first = arith.muli %g, %c32 : index
  %end = scf.for %t = %c0 to %n step %c1 iter_args(%row = %first) -> index {
    sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
    %x = sluice.scalar_load %T[%t] : <?xi32>
    %half = arith.divsi %x, %c2 : index
    %next = arith.muli %half, %c32 : index
    scf.yield %next : index
  }
}
