// RUN: not sluice check %s --set N=1 | FileCheck %s
// The remainder of a coordinate less one is -1 in the first cluster alone.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %g = arith.muli %n, %c2 : index
  %x = sluice.grid %g : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %before = arith.subi %x, %c1 : index
  %odd = arith.remsi %before, %c2 : index
  %is = arith.cmpi eq, %odd, %c1 : index
  scf.if %is {
    sluice.mbarrier.wait %bar[%c0], %c0 : <1>
  }
}
