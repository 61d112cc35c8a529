// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_load_wait_store. A tile that one role
// reads is overwritten by another that does not wait for the reading to end.
// Expected: R22.
// CHECK: R22 {{.*}}copy of write warp {{.*}} writes x {{.*}} while copy of read warp {{.*}} may
// CHECK-SAME: still read
sluice.kernel @swap(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                    %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %taken = sluice.mbarrier.alloc "taken" : !sluice.mbarrier<1>
  %written = sluice.mbarrier.alloc "written" : !sluice.mbarrier<1>
  sluice.mbarrier.init %taken count 4 by one : <1>
  sluice.mbarrier.init %written count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.load %X[%c0, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
  sluice.bar.sync 0, 256
  sluice.role "read" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.warp_sync
    sluice.mbarrier.arrive %taken[%c0] by warp : <1>
    sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.mbarrier.wait %written[%c0], %c0 : <1>
    sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.store %v to %Z[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  }
  sluice.role "write" warps 0 to 4 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.load %X[%c64, %c0] to %w : <?x64xf16>, <64x64xf16, reg, blocked>
    sluice.copy %w to %x : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
    sluice.warp_sync
    sluice.mbarrier.arrive %written[%c0] by warp : <1>
  }
}
