// RUN: sluice check %s | FileCheck %s
// CUTLASS, cluster_arrive_relaxed early and cluster_wait at the end: whoever issues a multicast load
// has to live until it has ended everywhere. Each CTA arrives when it has waited for its tile: a
// relaxed arrival orders no memory, and need not.
// CHECK: {{^}}proven: every launch
sluice.kernel @broadcast(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %ctas = arith.muli %n, %c2 : index
  %cta = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %first = arith.cmpi eq, %rank, %c0 : index
  %own = arith.subi %cta, %rank : index
  %tile = arith.divsi %own, %c2 : index
  %row = arith.muli %tile, %c64 : index
  %whole = arith.muli %n, %c64 : index
  %part = arith.muli %rank, %whole : index
  %out = arith.addi %row, %part : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  scf.if %first {
    sluice.tma.load %X[%row, %c0] to %x, %full[%c0] multicast 3
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  }
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.cluster.arrive relaxed
  sluice.copy %x to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
  sluice.store %v to %Y[%out, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  sluice.cluster.wait
}
