// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_tma_interleave_kernel. Both barriers are
// waited for.
// CHECK: {{^}}proven
sluice.kernel @interleave(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                          %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                          %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                          %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, sw128, slots 2>
  %x1 = sluice.slot %x[%c1] : <64x64xf16, smem, sw128, slots 2>
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %empty[%slot], %free : <1>
      sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%c1] bytes 8192 by one : <2>
      sluice.tma.load %A[%row, %c0] to %x0, %full[%c0]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      sluice.tma.load %B[%row, %c0] to %x1, %full[%c1]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "copy" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full[%c0], %phase : <2>
      sluice.mbarrier.wait %full[%c1], %phase : <2>
      sluice.copy %x0 to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      sluice.copy %x1 to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.store %v to %Z[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%c0] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
}
