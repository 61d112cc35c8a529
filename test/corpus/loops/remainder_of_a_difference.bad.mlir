// RUN: not sluice check %s | FileCheck %s
// A remainder of what may be negative, asked after a loop over the same extent: -10 remsi 4 is -2.
// CHECK: {{^}}violated
// CHECK: R9
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %m = arith.subi %N, %c20 : index
  %r = arith.remsi %m, %c4 : index
  %neg = arith.cmpi slt, %r, %c0 : index
  %c8 = arith.constant 8 : index
  %big = arith.cmpi sgt, %N, %c8 : index
  %bad = arith.andi %neg, %big : i1
  scf.for %t = %c0 to %N step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %t = %c0 to %N step %c1 {
    scf.if %bad {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
    sluice.bar.sync 0, 32
  }
}
