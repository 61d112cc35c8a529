// RUN: sluice check %s | FileCheck %s
// One role has one loop over all steps of the tiles of its CTA, the other goes from tile to tile by
// the extent of the grid.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %N = sluice.dim %A, 1 : <?x?xf32>
  %cta = sluice.grid %ctas : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    %left = arith.subi %M, %cta : index
    %tiles = arith.ceildivsi %left, %ctas : index
    %all = arith.muli %tiles, %N : index
    scf.for %it = %c0 to %all step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
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
    scf.for %i = %cta to %M step %ctas iter_args(%ti = %st) -> (!sluice.cursor<3>) {
      %ki = scf.for %t = %c0 to %N step %c1 iter_args(%at = %ti) -> (!sluice.cursor<3>) {
        %s = sluice.cursor.slot %at : <3>
        %p = sluice.cursor.phase %at : <3>
        sluice.mbarrier.wait %full[%s], %p : <3>
        sluice.mbarrier.arrive %empty[%s] by one : <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      }
      scf.yield %ki : !sluice.cursor<3>
    }
  }
}
