// RUN: not sluice check %s --set L=8 | FileCheck %s
// A phase that nobody has waited for, where an integer of a tensor says so.
// Expected: R5.
// CHECK: R5 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %M: !sluice.tensor<?xi32> {sluice.name = "M"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 5 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %n step %c1 {
    %m = sluice.scalar_load %M[%t] : <?xi32>
    %mv = sluice.uniform %m : index
    %mp = arith.cmpi sgt, %mv, %c0 : index
    scf.if %mp {
      sluice.bar.sync 0, 32
    }
    %l = sluice.scalar_load %L[%t] : <?xi32>
    %v = sluice.uniform %l : index
    %ph = arith.andi %t, %c1 : index
    sluice.mbarrier.arrive %bar[%c0] by one : <1>
    sluice.warp_sync
    %p = arith.cmpi sle, %v, %c2 : index
    scf.if %p {
      sluice.mbarrier.wait %bar[%c0], %ph : <1>
    }
    sluice.bar.sync 0, 32
  }
}
