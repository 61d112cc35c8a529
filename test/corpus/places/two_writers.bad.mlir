// RUN: not sluice check %s | FileCheck %s
// Two roles store to one tensor, two tiles apart.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<32x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %at = arith.constant 64 : index
  %K = sluice.dim %Y, 1 : <32x?xf32>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %col = arith.muli %t, %c32 : index
      sluice.store %r to %Y[%c0, %col] : <32x32xf32, reg, blocked>, <32x?xf32>
    }
  }
  sluice.role "b" warps 1 to 2 {
    %q = sluice.alloc "q" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %q with 0.0 : <32x32xf32, reg, blocked>
    scf.for %u = %c0 to %n step %c1 {
      %v = arith.muli %u, %c32 : index
      %col = arith.addi %v, %at : index
    sluice.store %q to %Y[%c0, %col] : <32x32xf32, reg, blocked>, <32x?xf32>
    }
  }
}
