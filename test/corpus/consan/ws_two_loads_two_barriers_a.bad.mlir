// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_two_loads_two_bars[1]. Two roles read a
// tile and signal barriers of their own; the writer does not wait for role a.
// Expected: R22.
// CHECK: R22 {{.*}}copy of write warp {{.*}} writes x {{.*}} while copy of a warp {{.*}} may still
// CHECK-SAME: read
sluice.kernel @two_readers(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                           %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                           %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %taken_a = sluice.mbarrier.alloc "taken_a" : !sluice.mbarrier<1>
  %taken_b = sluice.mbarrier.alloc "taken_b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %taken_a count 4 by one : <1>
  sluice.mbarrier.init %taken_b count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.load %X[%c0, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
  sluice.bar.sync 0, 384
  sluice.role "a" warps 8 to 12 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.warp_sync
    sluice.mbarrier.arrive %taken_a[%c0] by warp : <1>
    sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
  sluice.role "b" warps 4 to 8 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.copy %x to %w : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.warp_sync
    sluice.mbarrier.arrive %taken_b[%c0] by warp : <1>
    sluice.store %w to %Z[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
  sluice.role "write" warps 0 to 4 {
    sluice.mbarrier.wait %taken_b[%c0], %c0 : <1>
    sluice.load %X[%c64, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
  }
}
