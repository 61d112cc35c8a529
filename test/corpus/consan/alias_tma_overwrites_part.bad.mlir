// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_aliasing_tma_overwrite_clears_stale_write_visibility (there a control only). The tile is
// written by threads, then TMA loads over its right half without a proxy fence between: the generic
// writes may land on what TMA wrote. ConSan asks for the fence before asynchronous reads only.
// Expected: R23.
// CHECK: R23 {{.*}}TMA load of write warp 4 {{.*}} overwrites x {{.*}} no fence.proxy.async lies
// CHECK-SAME: between
sluice.kernel @halves(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x128xf16, smem, sw128>
  %right = sluice.subview %x[%c0, %c64] : <64x128xf16, smem, sw128> to <64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  sluice.role "write" warps 4 to 8 {
    sluice.fill %x with 42.0 : <64x128xf16, smem, sw128>
    sluice.bar.sync 1, 128
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
    sluice.tma.load %X[%c0, %c0] to %right, %full[%c0]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  }
  sluice.role "read" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.mbarrier.wait %full[%c0], %c0 : <1>
    sluice.copy %right to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
}
