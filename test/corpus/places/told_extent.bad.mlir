// RUN: not sluice check %s --set N=8 Y=2000x32 | FileCheck %s
// A role stores the tile that an extent names, another a fixed one; loops have told the extent
// before.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c960 = arith.constant 960 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
  %y = sluice.alloc "y" : !sluice.buffer<32x32xf32, smem, row>
  sluice.role "a" warps 0 to 1 {
  sluice.fill %x with 0.0 : <32x32xf32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    sluice.bar.sync 1, 32
  }
  %e = arith.muli %n, %c32 : index
  sluice.store %x to %Y[%e, %c0] : <32x32xf32, smem, row>, <?x32xf32>
  }
  sluice.role "b" warps 1 to 2 {
  sluice.fill %y with 0.0 : <32x32xf32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    sluice.bar.sync 2, 32
  }
  sluice.store %y to %Y[%c960, %c0] : <32x32xf32, smem, row>, <?x32xf32>
  }
}
