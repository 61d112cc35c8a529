// RUN: sluice check %s | FileCheck %s
// (t - 3) remsi 2 is negative at first, and only its being 0 matters.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %N step %c1 {
    %before = arith.subi %t, %c3 : index
    %rest = arith.remsi %before, %c2 : index
    %odd = arith.cmpi eq, %rest, %c0 : index
    scf.if %odd {
      sluice.bar.sync 0, 32
    }
    sluice.mbarrier.arrive %b[%c0] by one : <1>
    %parity = arith.remsi %t, %c2 : index
    sluice.mbarrier.wait %b[%c0], %parity : <1>
  }
}
