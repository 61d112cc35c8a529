// RUN: not sluice check %s --set s=5 | FileCheck %s
// In the first CTA of a cluster s is compared with -2^63, which it is never below; it waits for
// what nobody signals where s is negative.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bits = arith.constant 63 : index
  %cta = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %less = arith.subi %rank, %c1 : index
  %least = arith.shli %less, %bits : index
  %is = arith.cmpi sge, %s, %least : index
  %neg = arith.cmpi slt, %s, %c0 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.if %neg {
    scf.if %is {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
  }
}
