// RUN: sluice check %s | FileCheck %s
// A bound that is computed in the condition; a variable that is compared a step ahead.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    %endput:2 = scf.while (%t = %c0, %at = %start) : (index, !sluice.cursor<3>) -> (index, !sluice.cursor<3>) {
      %last = arith.subi %N, %c1 : index
      %more = arith.cmpi slt, %t, %last : index
      scf.condition(%more) %t, %at : index, !sluice.cursor<3>
    } do {
    ^bb0(%t: index, %at: !sluice.cursor<3>):
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %other = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %other : <3>
      sluice.mbarrier.arrive %full[%slot] by one : <3>
      %on = sluice.cursor.advance %at : <3>
      %next = arith.addi %t, %c1 : index
      scf.yield %next, %on : index, !sluice.cursor<3>
    }
  }
  sluice.role "take" warps 1 to 2 {
    %endtake:2 = scf.while (%t = %c0, %at = %start) : (index, !sluice.cursor<3>) -> (index, !sluice.cursor<3>) {
      %ahead = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %ahead, %N : index
      scf.condition(%more) %t, %at : index, !sluice.cursor<3>
    } do {
    ^bb0(%t: index, %at: !sluice.cursor<3>):
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.mbarrier.arrive %empty[%slot] by one : <3>
      %on = sluice.cursor.advance %at : <3>
      %next = arith.addi %t, %c1 : index
      scf.yield %next, %on : index, !sluice.cursor<3>
    }
  }
}
