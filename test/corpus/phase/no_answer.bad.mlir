// RUN: not sluice check %s | FileCheck %s
// TIRx-kernels #42. A scheduler announces one tile after another; a worker that lags sees two
// announcements as one phase of the same parity.
// Expected: R5.
// CHECK: R5 {{.*}}phase 1 of news completes with arrive of scheduler warp 4 {{.*}} no wait has found
// CHECK-SAME: phase 0 complete
sluice.kernel @schedule(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %news = sluice.mbarrier.alloc "news" : !sluice.mbarrier<1>
  %seen = sluice.mbarrier.alloc "seen" : !sluice.mbarrier<1>
  sluice.mbarrier.init %news count 1 by one : <1>
  sluice.mbarrier.init %seen count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "scheduler" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.arrive %news[%slot] by one : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "worker" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %news[%slot], %phase : <1>
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
}
