// RUN: not sluice check %s --set N=1 Y=20000x32 | FileCheck %s
// Each of two warps chooses its place; how far the two are apart changes with the iteration.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c200 = arith.constant 200 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %w = sluice.warp
  %isz = arith.cmpi eq, %w, %c0 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %a = arith.muli %t, %c200 : index
    %q = arith.remsi %t, %c64 : index
    %d = arith.subi %c0, %q : index
    %m = arith.select %isz, %c0, %d : index
    %row = arith.addi %a, %m : index
    sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
  }
}
