// RUN: not sluice check %s --set A=1x2 B=1 D=1 | FileCheck %s
// Iterations up to n, and up to 30 at least, are looked at, behind loops over n and m; number 39
// waits for what nobody signals.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}, %B: !sluice.tensor<?xf16> {sluice.name = "B"}, %D: !sluice.tensor<?xf16> {sluice.name = "D"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c30 = arith.constant 30 : index
  %c39 = arith.constant 39 : index
  %c1 = arith.constant 1 : index
  %m = sluice.dim %A, 0 : <?x?xf16>
  %p = sluice.dim %A, 1 : <?x?xf16>
  %k = sluice.dim %D, 0 : <?xf16>
  %n = sluice.dim %B, 0 : <?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %n step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %t = %c0 to %m step %c1 {
    sluice.bar.sync 0, 32
  }
  %e = arith.maxsi %n, %c30 : index
  scf.for %u = %c0 to %k step %c1 {
    %in = arith.cmpi sge, %e, %u : index
    sluice.warp_sync
    scf.if %in {
      %is = arith.cmpi eq, %u, %c39 : index
      scf.if %is {
        sluice.mbarrier.wait %b[%c0], %c0 : <1>
      }
    }
  }
}
