// RUN: sluice check %s | FileCheck %s
// A tile behind as many tiles as one extent says, or as an argument does from the second iteration
// on: whole tiles, so that a lane has the same part of both or they are apart.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%X: !sluice.tensor<?xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                 %a: i32 {sluice.name = "a"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %extent = sluice.dim %X, 0 : <?xf32>
  %n = arith.index_cast %a : i32 to index
  %cta = sluice.grid %c1 : index
  %r = sluice.alloc "r" : !sluice.buffer<8x256xf32, reg, blocked>
  sluice.fill %r with 1.0 : <8x256xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %later = arith.cmpi sgt, %t, %c0 : index
    %at = arith.select %later, %n, %extent : index
    %row = arith.muli %at, %c8 : index
    sluice.store %r to %Y[%row, %c0] : <8x256xf32, reg, blocked>, <?x256xf32>
  }
}
