// RUN: not sluice check %s --set N=4x8 | FileCheck %s
// The same of its step.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?x?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  %s = sluice.dim %N, 0 : <?x?xi32>
  %n = sluice.dim %N, 1 : <?x?xi32>
  %i = sluice.grid %c1 : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %s step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %t = %c0 to %n step %c1 {
    sluice.bar.sync 0, 32
  }
  %st = arith.addi %s, %c1 : index
  %e = scf.for %t = %c0 to %n step %st iter_args(%r = %c0) -> (index) {
    sluice.bar.sync 0, 32
    %q = arith.addi %r, %c1 : index
    scf.yield %q : index
  }
  %few = arith.cmpi eq, %e, %c2 : index
  %many = arith.cmpi sgt, %n, %c40 : index
  %is = arith.andi %few, %many : i1
  scf.if %is {
    sluice.mbarrier.wait %bar[%c0], %c0 : <1>
  }
}
