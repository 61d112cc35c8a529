// RUN: not sluice check %s --set N=8 Y=2000x32 | FileCheck %s
// A role writes a tile, another reads the next one, and both stop at the last: there they meet.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %last = arith.constant 960 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  // Both roles clamp what lies behind row 960 to it: from tile 30 on they write one tile.
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c32 : index
      %at = arith.minsi %row, %last : index
      sluice.store %r to %Y[%at, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
      sluice.bar.sync 0, 64
    }
  }
  sluice.role "b" warps 1 to 2 {
    %q = sluice.alloc "q" : !sluice.buffer<32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %t1 = arith.addi %t, %c1 : index
      %row = arith.muli %t1, %c32 : index
      %at = arith.minsi %row, %last : index
      sluice.load %Y[%at, %c0] to %q : <?x32xf32>, <32x32xf32, reg, blocked>
      sluice.bar.sync 0, 64
    }
  }
}
