// RUN: sluice check %s | FileCheck %s
// n - n % 4 steps in rounds of four, then those that are left; the other role takes all in one loop,
// through a ring of three.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      %free = arith.xori %p, %c1 : index
      sluice.mbarrier.wait %empty[%s], %free : <3>
      sluice.mbarrier.arrive %full[%s] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "take" warps 1 to 2 {
    %left = arith.remsi %N, %c4 : index
    %whole = arith.subi %N, %left : index
    %end = scf.for %t = %c0 to %whole step %c4 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %s0 = sluice.cursor.slot %at : <3>
      %p0 = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%s0], %p0 : <3>
      sluice.mbarrier.arrive %empty[%s0] by one : <3>
      %next0 = sluice.cursor.advance %at : <3>
      %s1 = sluice.cursor.slot %next0 : <3>
      %p1 = sluice.cursor.phase %next0 : <3>
      sluice.mbarrier.wait %full[%s1], %p1 : <3>
      sluice.mbarrier.arrive %empty[%s1] by one : <3>
      %next1 = sluice.cursor.advance %next0 : <3>
      %s2 = sluice.cursor.slot %next1 : <3>
      %p2 = sluice.cursor.phase %next1 : <3>
      sluice.mbarrier.wait %full[%s2], %p2 : <3>
      sluice.mbarrier.arrive %empty[%s2] by one : <3>
      %next2 = sluice.cursor.advance %next1 : <3>
      %s = sluice.cursor.slot %next2 : <3>
      %p = sluice.cursor.phase %next2 : <3>
      sluice.mbarrier.wait %full[%s], %p : <3>
      sluice.mbarrier.arrive %empty[%s] by one : <3>
      %next = sluice.cursor.advance %next2 : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    scf.for %t = %whole to %N step %c1 iter_args(%at = %end) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%s], %p : <3>
      sluice.mbarrier.arrive %empty[%s] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
