// A part of a tile in registers that lies behind all of its rows is nobody's, and out of bounds
// all the same (R24).
// RUN: not sluice check %s --set n=1 | FileCheck %s
// RUN: not sluice check %s --set n=3 --this-launch | FileCheck %s
// RUN: sed 's/constant 3/constant 2/' %s > %t.mlir
// RUN: sluice check %t.mlir --set n=1 | FileCheck %s --check-prefix=INSIDE
// CHECK: R24 (In bounds): {{.*}} touches r out of its bounds: elements 8 to 12 of dimension 0, which has 8
// INSIDE: proven: every launch
sluice.kernel @parts(%Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                     %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = sluice.alloc "r" : !sluice.buffer<8x256xf32, reg, blocked>
  sluice.fill %r with 1.0 : <8x256xf32, reg, blocked>
  %few = arith.minsi %n, %c3 : index
  scf.for %t = %c0 to %few step %c1 {
    %k = arith.muli %t, %c4 : index
    %part = sluice.subview %r[%k, %c0] : <8x256xf32, reg, blocked> to <4x256xf32, reg, blocked>
    sluice.store %part to %Y[%c0, %c0] : <4x256xf32, reg, blocked>, <?x256xf32>
    sluice.warp_sync
  }
}
