// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_tma_wait_does_not_publish_overwritten_row[WAIT_LATEST=False]. A second load overwrites the
// tile; the readers wait for the older load only.
// Expected: R22.
// CHECK: R22 {{.*}}copy of warp 0 {{.*}} reads x {{.*}} while TMA load of warp 0 {{.*}}:35:5 may still
// CHECK-SAME: write it{{.*}}Wait for the phase of newer
sluice.kernel @overwrite(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                         %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %older = sluice.mbarrier.alloc "older" : !sluice.mbarrier<1>
  %newer = sluice.mbarrier.alloc "newer" : !sluice.mbarrier<1>
  sluice.mbarrier.init %older count 1 by one : <1>
  sluice.mbarrier.init %newer count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    sluice.mbarrier.arrive_expect_tx %older[%slot] bytes 8192 by one : <1>
    sluice.tma.load %A[%row, %c0] to %x, %older[%slot]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.mbarrier.wait %older[%slot], %phase : <1>
    sluice.mbarrier.arrive_expect_tx %newer[%slot] bytes 8192 by one : <1>
    sluice.tma.load %B[%row, %c0] to %x, %newer[%slot]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.copy %x to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.mbarrier.wait %newer[%slot], %phase : <1>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}
