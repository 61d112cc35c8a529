// RUN: not sluice check %s | FileCheck %s
// A TMA store starts before its tensor; a branch that has nothing to do with it must not hide
// that.
// Expected: R40.
// CHECK: R40 (
sluice.kernel @k(%N: !sluice.tensor<?x?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = sluice.dim %N, 0 : <?x?xi32>
  %n = sluice.dim %N, 1 : <?x?xi32>
  %m = arith.remsi %a, %n : index
  %p = arith.cmpi eq, %n, %c64 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
  sluice.fill %x with 0.0 : <32x32xf32, smem, row>
  scf.if %p {
    sluice.warp_sync
  }
  %q = arith.divsi %m, %c64 : index
  %row = arith.subi %c0, %q : index
  sluice.fence proxy_async
  sluice.warp_sync
  sluice.tma.store %x to %Y[%row, %c0] : <32x32xf32, smem, row>, <?x32xf32, align 16>
  sluice.bulk.commit
  sluice.bulk.wait 0 read
}
