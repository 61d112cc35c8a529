// RUN: not sluice check %s | FileCheck %s
// The same, but one role stops before N.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    %endput = scf.while (%t = %c1) : (index) -> index {
      %more = arith.cmpi sgt, %N, %t : index
      scf.condition(%more) %t : index
    } do {
    ^bb0(%t: index):
      %half = arith.divsi %t, %c2 : index
      %slot = arith.remsi %half, %c3 : index
      %round = arith.divsi %half, %c3 : index
      %phase = arith.andi %round, %c1 : index
      %other = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %other : <3>
      sluice.mbarrier.arrive %full[%slot] by one : <3>
      %next = arith.addi %c2, %t : index
      scf.yield %next : index
    }
  }
  sluice.role "take" warps 1 to 2 {
    %endtake = scf.while (%t = %c1) : (index) -> index {
      %more = arith.cmpi sge, %N, %t : index
      scf.condition(%more) %t : index
    } do {
    ^bb0(%t: index):
      %half = arith.divsi %t, %c2 : index
      %slot = arith.remsi %half, %c3 : index
      %round = arith.divsi %half, %c3 : index
      %phase = arith.andi %round, %c1 : index
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.mbarrier.arrive %empty[%slot] by one : <3>
      %next = arith.addi %c2, %t : index
      scf.yield %next : index
    }
  }
}
