// RUN: not sluice check %s --set n=5 | FileCheck %s
// An argument may be negative.
// CHECK: {{^}}violated
// CHECK: R9
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %below = arith.cmpi slt, %n, %c0 : index
  scf.if %below {
    sluice.mbarrier.wait %b[%c0], %c0 : <1>
  }
  sluice.bar.sync 0, 32
}
