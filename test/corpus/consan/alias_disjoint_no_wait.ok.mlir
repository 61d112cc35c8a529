// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_aliasing_shared_visibility_outstanding_write[missing barrier]. The writer fills the left
// half, the reader takes the right half: nothing to wait for.
// CHECK: {{^}}proven
sluice.kernel @halves(%X: !sluice.tensor<?x128xf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x128xf16, smem, row>
  %left = sluice.subview %x[%c0, %c0] : <64x128xf16, smem, row> to <64x64xf16, smem, row>
  %right = sluice.subview %x[%c0, %c64] : <64x128xf16, smem, row> to <64x64xf16, smem, row>
  %written = sluice.mbarrier.alloc "written" : !sluice.mbarrier<1>
  sluice.mbarrier.init %written count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %x with 0.0 : <64x128xf16, smem, row>
  sluice.bar.sync 0, 256
  sluice.role "write" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.load %X[%c0, %c0] to %v : <?x128xf16>, <64x64xf16, reg, blocked>
    sluice.copy %v to %left : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
    sluice.warp_sync
    sluice.mbarrier.arrive %written[%c0] by warp : <1>
  }
  sluice.role "read" warps 0 to 4 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.copy %right to %w : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.store %w to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
}
