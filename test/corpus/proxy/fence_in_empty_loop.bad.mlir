// RUN: not sluice check %s | FileCheck %s
// FlashKDA #24 / #25. The only proxy fence stands in the loop that adds up the tiles; with no tile
// the cleared sums are stored without it.
// Expected: R23.
// CHECK: R23 {{.*}}TMA store of {{.*}}warp 0 {{.*}} through the generic proxy, and no
// CHECK-SAME: fence.proxy.async lies between
sluice.kernel @sums(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16, smem, sw128>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  sluice.fill %y with 0.0 : <64x64xf16, smem, sw128>
  sluice.warp_sync // other lanes write the same bytes below
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16, align 16>, <64x64xf16, reg, blocked>
    sluice.copy %v to %y : <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
    sluice.fence proxy_async
  } {sluice.name = "t", sluice.pipelined}
  sluice.bar.sync 0, 128
  sluice.role "store" warps 0 to 1 {
    sluice.tma.store %y to %Y[%c0, %c0] : <64x64xf16, smem, sw128>, <?x64xf16, align 16>
    sluice.bulk.commit by one
    sluice.bulk.wait 0 read by one
  }
}
