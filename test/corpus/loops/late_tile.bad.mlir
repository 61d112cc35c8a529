// RUN: not sluice check %s --set A=64x64 | FileCheck %s
// A loop from tile 20 on comes to as many tiles as a loop before it has had, and waits there for what
// nobody signals.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %u = %c0 to %N step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %t = %c20 to %K step %c1 {
    sluice.bar.sync 0, 32
    %late = arith.cmpi eq, %t, %N : index
    scf.if %late {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
  }
}
