// RUN: not sluice check %s --set X=64x32 Y=64x32 | FileCheck %s
// Divided by an extent of 0 all tiles are the first one.
// Expected: R27.
// CHECK: R27 (
sluice.kernel @k(%X: !sluice.tensor<?x32xf32> {sluice.name = "X"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %Y, 0 : <?x32xf32>
  %n = sluice.dim %X, 0 : <?x32xf32>
  %m = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %m : index
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <64x32xf32, reg, blocked>
  %d = arith.minsi %n, %c1 : index
  %q = arith.divsi %i, %d : index
  %row = arith.muli %q, %c64 : index
  sluice.store %r to %Y[%row, %c0] : <64x32xf32, reg, blocked>, <?x32xf32>
}
