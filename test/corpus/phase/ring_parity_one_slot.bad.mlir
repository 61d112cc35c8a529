// RUN: not sluice check %s | FileCheck %s
// tilelang #3087. Q K^T hands each tile to the softmax warps through one buffer, but the parity of
// its barrier is that of the three-slot ring of K: it flips every third tile instead of every tile.
// Expected: R22 (or R21: a warp that runs first finds bytes that nothing has written).
// CHECK: R2{{[12]}} {{.*}}softmax warp {{.*}} reads y
sluice.kernel @stages(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  %ready = sluice.mbarrier.alloc "ready" : !sluice.mbarrier<1>
  %taken = sluice.mbarrier.alloc "taken" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.mbarrier.init %ready count 4 by one : <1>
  sluice.mbarrier.init %taken count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  %start = sluice.cursor : !sluice.cursor<3>
  %begin = sluice.cursor : !sluice.cursor<1>
  sluice.role "load" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <3>
      sluice.tma.load %X[%row, %c0] to %xt, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "scores" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %out = %begin)
        -> (!sluice.cursor<3>, !sluice.cursor<1>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.copy %xt to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %taken[%c0], %free : <1>
      sluice.copy %v to %y : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %ready[%c0] by warp : <1>
      %next = sluice.cursor.advance %at : <3>
      %after = sluice.cursor.advance %out : <1>
      scf.yield %next, %after : !sluice.cursor<3>, !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "softmax" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %phase = sluice.cursor.phase %at : <3>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %ready[%c0], %phase : <1>
      sluice.store %y to %Y[%row, %c0] : <64x64xf16, smem, row>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%c0] by warp : <1>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
