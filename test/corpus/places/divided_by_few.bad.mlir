// RUN: not sluice check %s --set Y=64x256 a=2 | FileCheck %s
// An argument divided by a number that is 1 at first and then 2 says where a half tile is: the place
// moves although neither the argument nor the divisor counts with the loop.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                 %a: i32 {sluice.name = "a"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = arith.index_cast %a : i32 to index
  %cta = sluice.grid %c1 : index
  %r = sluice.alloc "r" : !sluice.buffer<8x256xf32, reg, blocked>
  sluice.fill %r with 1.0 : <8x256xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %later = arith.minsi %t, %c1 : index
    %few = arith.addi %later, %c1 : index
    %at = arith.divsi %n, %few : index
    %row = arith.muli %at, %c4 : index
    sluice.store %r to %Y[%row, %c0] : <8x256xf32, reg, blocked>, <?x256xf32>
  }
}
