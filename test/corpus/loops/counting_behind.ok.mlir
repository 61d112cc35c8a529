// RUN: sluice check %s | FileCheck %s
// A loop that counts behind what it does, under a condition that there is something to do.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %some = arith.cmpi sgt, %N, %c0 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    scf.if %some {
      %end:2 = scf.while (%t = %c0, %at = %st) : (index, !sluice.cursor<3>) -> (index, !sluice.cursor<3>) {
        %s = sluice.cursor.slot %at : <3>
        %p = sluice.cursor.phase %at : <3>
        %free = arith.xori %p, %c1 : index
        sluice.mbarrier.wait %empty[%s], %free : <3>
        sluice.mbarrier.arrive %full[%s] by one : <3>
        %next = sluice.cursor.advance %at : <3>
        %on = arith.addi %t, %c1 : index
        %more = arith.cmpi slt, %on, %N : index
        scf.condition(%more) %on, %next : index, !sluice.cursor<3>
      } do {
      ^bb0(%t: index, %at: !sluice.cursor<3>):
        scf.yield %t, %at : index, !sluice.cursor<3>
      }
    }
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %t = %c0 to %N step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%s], %p : <3>
      sluice.mbarrier.arrive %empty[%s] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
