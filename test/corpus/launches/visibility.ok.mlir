// RUN: sluice check %s | FileCheck %s
// ConSan, clc_result_visibility: two warps read a response behind a wait for its barrier, which
// makes it visible.
// CHECK: proven: every launch
sluice.kernel @visible() attributes {target = "sm_100a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %i = sluice.grid %c8 : index
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<1>
  sluice.mbarrier.init %known count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "ask" warps 0 to 1 {
    sluice.mbarrier.arrive_expect_tx %known[%c0] bytes 16 by one : <1>
    sluice.clc.try_cancel %response, %known[%c0] : <1x4xi32, smem, row>, !sluice.mbarrier<1>
    sluice.mbarrier.wait %known[%c0], %c0 : <1>
    %read = sluice.clc.query %response : <1x4xi32, smem, row>
  }
  sluice.role "work" warps 1 to 2 {
    sluice.mbarrier.wait %known[%c0], %c0 : <1>
    %read = sluice.clc.query %response : <1x4xi32, smem, row>
  }
}
