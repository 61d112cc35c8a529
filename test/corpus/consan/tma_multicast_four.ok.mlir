// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_async_tma_multicast_kernel[4ctas]. The mask
// names all four CTAs.
// CHECK: {{^}}proven
sluice.kernel @all_four(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %cta = sluice.grid %c4 : index
  %rank = sluice.cluster.rank
  %first = arith.cmpi eq, %rank, %c0 : index
  %whole = arith.muli %n, %c64 : index
  %part = arith.muli %rank, %whole : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    %out = arith.addi %row, %part : index
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <1>
    scf.if %first {
      sluice.tma.load %X[%row, %c0] to %x, %full[%slot] multicast 15
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    }
    sluice.mbarrier.wait %full[%slot], %phase : <1>
    sluice.copy %x to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%out, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.cluster.arrive
    sluice.cluster.wait
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}
