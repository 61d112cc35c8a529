// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_aliasing_commit_tracking[none]. Disjoint
// halves, and a wait all the same.
// CHECK: {{^}}proven
sluice.kernel @halves(%X: !sluice.tensor<?x128xf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x128xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x128xf16, smem, row>
  %left = sluice.subview %x[%c0, %c0] : <64x128xf16, smem, row> to <64x64xf16, smem, row>
  %right = sluice.subview %x[%c0, %c64] : <64x128xf16, smem, row> to <64x64xf16, smem, row>
  %issued = sluice.mbarrier.alloc "issued" : !sluice.mbarrier<1>
  sluice.mbarrier.init %issued count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  sluice.role "copy" warps 4 to 8 {
    sluice.load %X[%c0, %c0] to %left async : <?x128xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    sluice.cp_async.wait 0
    sluice.warp_sync
    sluice.mbarrier.arrive %issued[%c0] by warp : <1>
  }
  sluice.role "clear" warps 0 to 4 {
    sluice.mbarrier.wait %issued[%c0], %c0 : <1>
    sluice.fill %right with 0.0 : <64x64xf16, smem, row>
  }
}
