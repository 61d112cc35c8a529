// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_deadlock_after_other_partition_returns[two-cta-barrier]. The signal goes to the barrier that
// is waited for.
// CHECK: {{^}}proven
sluice.kernel @finish(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 12, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %ctas = arith.constant 2 : index
  %cta = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %peer = arith.subi %c1, %rank : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<2>
  sluice.mbarrier.init %done count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.role "idle" warps 0 to 4 {
  }
  sluice.role "wait" warps 4 to 8 {
    sluice.mbarrier.wait %done[%c0], %c0 : <2>
  }
  sluice.role "work" warps 8 to 12 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
    } {sluice.name = "t", sluice.pipelined}
    sluice.mbarrier.arrive %done[%c0] rank %peer by warp : <2>
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}
