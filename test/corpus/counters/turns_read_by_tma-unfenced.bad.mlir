// RUN: not sluice check %s --set splits=1 turn=8 | FileCheck %s
// Threads store the tile, TMA reads it in the next CTA, with no fence between.
// CHECK: R23 (
sluice.kernel @turns(%T: !sluice.tensor<64x32xf32, align 16> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %splits : index
  %s = sluice.alloc "s" : !sluice.buffer<64x32xf32, smem, row>
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, blocked>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.warp_sync
  sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  sluice.tma.load %T[%c0, %c0] to %s, %full[%c0]
      : <64x32xf32, align 16>, <64x32xf32, smem, row>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.copy %s to %t : <64x32xf32, smem, row>, <64x32xf32, reg, blocked>
  sluice.store %t to %T[%c0, %c0] : <64x32xf32, reg, blocked>, <64x32xf32, align 16>
  sluice.warp_sync
  %seen = sluice.counter.add %turn[%c0], %c1 scope gpu : <?xi32>
}
