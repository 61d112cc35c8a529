// RUN: sluice check %s | FileCheck %s
// tilelang #1828. Announcement and load name one slot, and the cursor runs on from loop to loop.
// CHECK: {{^}}proven
sluice.kernel @two_passes(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                          %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                          %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<2>
  %after = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %row = arith.muli %t, %c64 : index
    %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
    sluice.tma.load %X[%row, %c0] to %xt, %full[%slot]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    sluice.mbarrier.wait %full[%slot], %phase : <2>
    sluice.store %xt to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <2>
    scf.yield %next : !sluice.cursor<2>
  } {sluice.name = "t", sluice.pipelined}
  %stale = sluice.cursor.slot %after : <2>
  scf.for %u = %c0 to %n step %c1 iter_args(%at = %after) -> !sluice.cursor<2> {
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %row = arith.muli %u, %c64 : index
    %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
    sluice.tma.load %X[%row, %c0] to %xt, %full[%slot]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    sluice.mbarrier.wait %full[%slot], %phase : <2>
    sluice.store %xt to %Z[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <2>
    scf.yield %next : !sluice.cursor<2>
  }
}
