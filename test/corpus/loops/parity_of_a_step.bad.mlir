// RUN: not sluice check %s --set N=1 s=4 | FileCheck %s
// The same decides a parity.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %s1 = arith.addi %s, %c1 : index
  %p = arith.cmpi eq, %s, %c1 : index
  scf.if %p {
    scf.for %t = %c0 to %c8 step %s1 {
      %parity = arith.remsi %t, %c2 : index
      sluice.mbarrier.arrive %b[%c0] by one : <1>
      sluice.mbarrier.wait %b[%c0], %parity : <1>
      sluice.bar.sync 0, 32
    }
  }
}
