// RUN: not sluice check %s --set N=4x4 Y=20000x32 | FileCheck %s
// How far two warps are apart depends on an extent.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?x?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c400 = arith.constant 400 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %N, 0 : <?x?xi32>
  %d = sluice.dim %N, 1 : <?x?xi32>
  %i = sluice.grid %c1 : index
  %w = sluice.warp
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 0.0 : <32x32xf32, reg, blocked>
  scf.for %k = %c0 to %d step %c1 {
    sluice.bar.sync 0, 64
  }
  %dq = arith.divsi %d, %c64 : index
  %dm = arith.muli %dq, %c64 : index
  %dr = arith.subi %d, %dm : index
  %e = arith.subi %c40, %dr : index
  %o = arith.muli %w, %e : index
  sluice.store %r to %Y[%o, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
}
