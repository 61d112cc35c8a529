// RUN: sluice check %s --set Y=64x32 | FileCheck %s
// RUN: sluice check %s --set Y=64x32 --strict | FileCheck %s
// RUN: %python %S/Inputs/arrays.py %t
// RUN: sluice run %s --set Y=12800x32 --expect Y=%t/threes.npy --chaos 3000
// RUN: sluice run %s --set Y=12800x32 --expect Y=%t/threes.npy --device host
// As the example of the PTX ISA (clusterlaunchcontrol.try_cancel), for clusters of two CTAs of a warp
// each: one slot, which both read before they meet at a cluster barrier, and which is asked for again
// behind it. The response is on its way while the cluster works.
// CHECK: proven: every launch
sluice.kernel @together(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 1, cluster = array<i64: 2, 1, 1>,
                shared_bytes = 204800} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c2 = arith.constant 2 : index
  %M = sluice.dim %Y, 0 : <?x32xf32>
  %clusters = arith.ceildivsi %M, %c64 : index
  %ctas = arith.muli %clusters, %c2 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %leads = arith.cmpi eq, %rank, %c0 : index
  %own = arith.subi %i, %rank : index
  %tile = sluice.alloc "tile" : !sluice.buffer<32x32xf32, smem, row>
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<1>
  sluice.mbarrier.init %known count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %tile with 3.0 : <32x32xf32, smem, row>
  sluice.warp_sync
  sluice.cluster.arrive
  %begin = sluice.cursor : !sluice.cursor<1>
  %end:2 = scf.while (%first = %own, %at = %begin) : (index, !sluice.cursor<1>)
      -> (index, !sluice.cursor<1>) {
    %phase = sluice.cursor.phase %at : <1>
    sluice.cluster.wait
    sluice.mbarrier.arrive_expect_tx %known[%c0] bytes 16 by one : <1>
    scf.if %leads {
      sluice.clc.try_cancel %response, %known[%c0] multicast : <1x4xi32, smem, row>, !sluice.mbarrier<1>
    }
    %cta = arith.addi %first, %rank : index
    %row = arith.muli %cta, %c32 : index
    sluice.store %tile to %Y[%row, %c0] : <32x32xf32, smem, row>, <?x32xf32>
    sluice.mbarrier.wait %known[%c0], %phase : <1>
    %read = sluice.clc.query %response : <1x4xi32, smem, row>
    sluice.fence proxy_async
    sluice.warp_sync
    sluice.cluster.arrive
    %next = sluice.uniform %read : index
    %more = arith.cmpi sge, %next, %c0 : index
    %after = sluice.cursor.advance %at : <1>
    scf.condition(%more) %next, %after : index, !sluice.cursor<1>
  } do {
  ^bb0(%first: index, %at: !sluice.cursor<1>):
    scf.yield %first, %at : index, !sluice.cursor<1>
  }
  sluice.cluster.wait
}
