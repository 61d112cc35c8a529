// RUN: not sluice check %s | FileCheck %s
// (30 - t) / 8 is 0 on both sides of 30, and -1 from t = 38 on.
// CHECK: {{^}}violated
// CHECK: R9
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c30 = arith.constant 30 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %N step %c1 {
    %down = arith.subi %c30, %t : index
    %q = arith.divsi %down, %c8 : index
    %late = arith.cmpi slt, %q, %c0 : index
    scf.if %late {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
    sluice.bar.sync 0, 32
  }
}
