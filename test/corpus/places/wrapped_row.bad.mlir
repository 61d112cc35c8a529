// RUN: not sluice check %s | FileCheck %s
// A role goes round 64 tiles, another writes one of them ever again.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1280 = arith.constant 1280 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %q = arith.remsi %t, %c64 : index
      %row = arith.muli %q, %c32 : index
      sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
      sluice.bar.sync 0, 64
    }
  }
  sluice.role "b" warps 1 to 2 {
    %r = sluice.alloc "r2" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      sluice.store %r to %Y[%c1280, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
      sluice.bar.sync 0, 64
    }
  }
}
