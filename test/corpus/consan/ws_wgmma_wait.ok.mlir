// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_wgmma_wait_visibility. The other role
// refills the slot whose product has ended.
// CHECK: {{^}}proven
sluice.kernel @two_products(%C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %ready = sluice.mbarrier.alloc "ready" : !sluice.mbarrier<1>
  sluice.mbarrier.init %ready count 4 by one : <1>
  sluice.fence mbarrier_init by one
  %a0 = sluice.slot %a[%c0] : <64x64xf16, smem, sw128, slots 2>
  %a1 = sluice.slot %a[%c1] : <64x64xf16, smem, sw128, slots 2>
  %b0 = sluice.slot %b[%c0] : <64x64xf16, smem, sw128, slots 2>
  %b1 = sluice.slot %b[%c1] : <64x64xf16, smem, sw128, slots 2>
  sluice.fill %a0 with 1.0 : <64x64xf16, smem, sw128>
  sluice.fill %a1 with 2.0 : <64x64xf16, smem, sw128>
  sluice.fill %b0 with 3.0 : <64x64xf16, smem, sw128>
  sluice.fill %b1 with 4.0 : <64x64xf16, smem, sw128>
  sluice.fence proxy_async
  sluice.bar.sync 0, 256
  sluice.role "mma" warps 4 to 8 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    sluice.wgmma.fence
    sluice.wgmma %acc, %a0, %b0
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma %acc, %a1, %b1
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 1
    sluice.mbarrier.arrive %ready[%c0] by warp : <1>
    sluice.wgmma.wait 0
    sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
  }
  sluice.role "refill" warps 0 to 4 {
    sluice.mbarrier.wait %ready[%c0], %c0 : <1>
    sluice.fill %a0 with 42.0 : <64x64xf16, smem, sw128>
  }
}
