// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py,
// test_deadlock_with_padded_warp_specialize_partition. Three roles of one warp wait for a start
// signal; the role that should give it has returned.
// Expected: R9.
// CHECK: R9 {{.*}}waits {{.*}} for go parity 0 {{.*}}Nobody will signal it: nothing in the kernel
// CHECK-SAME: signals go{{.*}}3 of 7 agents are blocked
sluice.kernel @start(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 7} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %go = sluice.mbarrier.alloc "go" : !sluice.mbarrier<1>
  sluice.mbarrier.init %go count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 224
  sluice.role "main" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      sluice.bar.sync 1, 128
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "first" warps 4 to 5 {
    sluice.mbarrier.wait %go[%c0], %c0 : <1>
  }
  sluice.role "second" warps 5 to 6 {
    sluice.mbarrier.wait %go[%c0], %c0 : <1>
  }
  sluice.role "third" warps 6 to 7 {
    sluice.mbarrier.wait %go[%c0], %c0 : <1>
  }
}
