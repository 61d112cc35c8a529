// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_deadlock_after_other_partition_returns[single-cta-barrier]. One role signals the second
// barrier and returns, another waits for the first barrier, which nobody signals.
// Expected: R9.
// CHECK: R9 {{.*}}wait warp {{.*}} waits {{.*}} for done[0]{{.*}} parity 0 {{.*}}Nobody will
// CHECK-SAME: signal it
sluice.kernel @finish(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<2>
  sluice.mbarrier.init %done count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
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
    sluice.mbarrier.arrive %done[%c1] by warp : <2>
  }
}
