// RUN: sluice check %s | FileCheck %s
// The tiles of a CTA are asked for three ahead: in front of the loop, then in each round.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c132 = arith.constant 132 : index
  %n = sluice.dim %A, 0 : <?x?xf32>
  %ctas = arith.minsi %n, %c132 : index
  %cta = sluice.grid %ctas : index
  %far = arith.muli %ctas, %c3 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "both" warps 0 to 1 {
    %beyond = arith.addi %cta, %far : index
    %first = arith.minsi %n, %beyond : index
    scf.for %i = %cta to %first step %ctas iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      sluice.mbarrier.arrive %full[%s] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    scf.for %i = %cta to %n step %ctas iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%s], %p : <3>
      sluice.mbarrier.arrive %empty[%s] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      %later = arith.addi %i, %far : index
      %more = arith.cmpi slt, %later, %n : index
      scf.if %more {
        sluice.mbarrier.wait %empty[%s], %p : <3>
        sluice.mbarrier.arrive %full[%s] by one : <3>
      }
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
