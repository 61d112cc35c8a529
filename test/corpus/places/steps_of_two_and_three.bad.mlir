// RUN: not sluice check %s | FileCheck %s
// One role stores every second tile, another every third from 1 on: both come to tile 4.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %i = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %gm step %c2 {
      %row = arith.muli %t, %c32 : index
      sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x?xf32>
    }
  }
  sluice.role "b" warps 1 to 2 {
    %q = sluice.alloc "q" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %q with 1.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %gm step %c3 {
      %odd = arith.addi %t, %c1 : index
      %row = arith.muli %odd, %c32 : index
      sluice.store %q to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x?xf32>
    }
  }
}
