// RUN: sluice check %s | FileCheck %s
// Each CTA of a pair loads a tile on a barrier of its own and tells the other that it has come.
// CHECK: {{^}}proven: every launch
sluice.kernel @told(%X: !sluice.tensor<64x32xf32, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %peer = arith.xori %rank, %c1 : index
  %row = arith.muli %rank, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %told = sluice.mbarrier.alloc "told" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %told count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 4096 by one : <1>
  sluice.tma.load %X[%row, %c0] to %x, %full[%c0]
      : <64x32xf32, align 16>, <32x32xf32, smem, row>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.mbarrier.arrive %told[%c0] rank %peer by one : <1>
  sluice.mbarrier.wait %told[%c0], %c0 : <1>
  sluice.store %x to %Y[%row, %c0] : <32x32xf32, smem, row>, <64x32xf32>
}
