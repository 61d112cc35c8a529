// RUN: not sluice check %s --set N=2 | FileCheck %s
// A loop goes in steps of an extent that a branch has told.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %six = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %s = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %p = arith.cmpi eq, %s, %c7 : index
  scf.if %p {
    scf.for %t = %c0 to %c20 step %s {
      sluice.bar.sync 0, 32
      %a = arith.cmpi eq, %t, %c7 : index
      scf.if %a {
        sluice.mbarrier.wait %bar[%c0], %c0 : <1>
      }
    }
  }
}
