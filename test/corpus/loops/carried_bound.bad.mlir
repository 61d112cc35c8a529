// RUN: not sluice check %s --set N=8 | FileCheck %s
// The bound of a loop is carried from the iteration before.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c30 = arith.constant 30 : index
  %c40 = arith.constant 40 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %e = scf.for %t = %c0 to %n step %c1 iter_args(%m = %c0) -> (index) {
    %q = arith.remsi %t, %c40 : index
    scf.for %u = %c0 to %m step %c1 {
      %late = arith.cmpi eq, %u, %c30 : index
      scf.if %late {
        sluice.mbarrier.wait %bar[%c0], %c0 : <1>
      }
    }
    sluice.bar.sync 0, 32
    scf.yield %q : index
  }
}
