// RUN: not sluice check %s --set splits=1 turn=8 | FileCheck %s
// The wait for bulk stores is one for their reads: the tile may still be written.
// CHECK: R27 (
sluice.kernel @turns(%T: !sluice.tensor<64x32xf32, align 16> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %splits : index
  %s = sluice.alloc "s" : !sluice.buffer<64x32xf32, smem, row>
  sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  sluice.fill %s with 1.0 : <64x32xf32, smem, row>
  sluice.fence proxy_async
  sluice.warp_sync
  sluice.tma.store %s to %T[%c0, %c0] : <64x32xf32, smem, row>, <64x32xf32, align 16>
  sluice.bulk.commit
  sluice.bulk.wait 0 read
  %step = arith.constant 1 : index
  %seen = sluice.counter.add %turn[%c0], %step scope gpu : <?xi32>
}
