// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_async_copy_wait_visibility. The reading
// role reads the slot whose group has ended.
// CHECK: {{^}}proven
sluice.kernel @two_tiles(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %ready = sluice.mbarrier.alloc "ready" : !sluice.mbarrier<1>
  sluice.mbarrier.init %ready count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, row, slots 2>
  %x1 = sluice.slot %x[%c1] : <64x64xf16, smem, row, slots 2>
  sluice.role "copy" warps 4 to 8 {
    sluice.load %X[%c0, %c0] to %x0 async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    sluice.load %X[%c64, %c0] to %x1 async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    sluice.cp_async.wait 1
    sluice.warp_sync
    sluice.mbarrier.arrive %ready[%c0] by warp : <1>
    sluice.cp_async.wait 0
  }
  sluice.role "read" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.mbarrier.wait %ready[%c0], %c0 : <1>
    sluice.copy %x0 to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
}
