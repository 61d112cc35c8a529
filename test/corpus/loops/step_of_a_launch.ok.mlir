// RUN: sluice check %s | FileCheck %s
// Loops go by an argument; a slot is given back one round late, but in the first.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %M = sluice.dim %A, 1 : <?x?xf32>
  %i = sluice.grid %M : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %N step %s iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive %full[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end:2 = scf.for %t = %c0 to %N step %s iter_args(%at = %start, %before = %start)
        -> (!sluice.cursor<3>, !sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      %later = arith.cmpi sgt, %t, %c0 : index
      scf.if %later {
        %old = sluice.cursor.slot %before : <3>
        sluice.mbarrier.arrive %empty[%old] by warp : <3>
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next, %at : !sluice.cursor<3>, !sluice.cursor<3>
    }
    %any = arith.cmpi sgt, %N, %c0 : index
    scf.if %any {
      %old = sluice.cursor.slot %end#1 : <3>
      sluice.mbarrier.arrive %empty[%old] by warp : <3>
    }
  }
}
