// RUN: not sluice check %s | FileCheck %s
// The same behind two conditions.
// Expected: R40.
// CHECK: R40 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %m = arith.remsi %n, %c64 : index
  %z = arith.subi %c64, %m : index
  %p = arith.cmpi sgt, %m, %c0 : index
  %p2 = arith.cmpi sgt, %n, %c1 : index
  %both = arith.andi %p, %p2 : i1
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
  sluice.fill %x with 0.0 : <32x32xf32, smem, row>
  scf.if %both {
    sluice.warp_sync
  }
  %w = arith.divsi %z, %c64 : index
  %row = arith.subi %c0, %w : index
  sluice.fence proxy_async
  sluice.warp_sync
  sluice.tma.store %x to %Y[%row, %c0] : <32x32xf32, smem, row>, <?x32xf32, align 16>
  sluice.bulk.commit
  sluice.bulk.wait 0 read
}
