// RUN: sluice check %s | FileCheck %s
// ConSan, clc_double_try_cancel_result_overwrite: the second request overwrites a response that
// nobody has read, and so may not have failed for anybody.
// CHECK: proven: every launch
sluice.kernel @twice() attributes {target = "sm_100a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %i = sluice.grid %c8 : index
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<1>
  sluice.mbarrier.init %known count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.warp_sync
  sluice.mbarrier.arrive_expect_tx %known[%c0] bytes 16 by one : <1>
  sluice.clc.try_cancel %response, %known[%c0] : <1x4xi32, smem, row>, !sluice.mbarrier<1>
  sluice.mbarrier.wait %known[%c0], %c0 : <1>
  sluice.warp_sync
  sluice.mbarrier.arrive_expect_tx %known[%c0] bytes 16 by one : <1>
  sluice.clc.try_cancel %response, %known[%c0] : <1x4xi32, smem, row>, !sluice.mbarrier<1>
  sluice.mbarrier.wait %known[%c0], %c1 : <1>
  %read = sluice.clc.query %response : <1x4xi32, smem, row>
}
