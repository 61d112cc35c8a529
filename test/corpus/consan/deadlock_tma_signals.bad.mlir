// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_deadlock_exempt_when_tma_signals (there a
// control only). Each role starts a load and waits for the barrier that the other role's load
// completes, which is announced with its own bytes: no load was given the second barrier.
// Expected: R9.
// CHECK: R9 {{.*}}waits {{.*}} for full[1] parity 0
sluice.kernel @two_loads(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16, align 16> {sluice.name = "Y"})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, sw128, slots 2>
  %x1 = sluice.slot %x[%c1] : <64x64xf16, smem, sw128, slots 2>
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "a" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <2>
      sluice.tma.load %X[%row, %c0] to %x0, %full[%c0]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      sluice.mbarrier.wait %full[%c0], %phase : <2>
      sluice.bar.sync 1, 128
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "b" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.expect_tx %full[%c1] bytes 8192 by one : <2>
      sluice.tma.load %Y[%row, %c0] to %x1, %full[%c1]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      sluice.mbarrier.wait %full[%c1], %phase : <2>
      sluice.bar.sync 2, 128
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
}
