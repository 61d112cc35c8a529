// A protocol and no more: `give` fills the slots of a ring, `take` gives the slot of tile t - 2 back
// in step t.
sluice.kernel @held(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %X, 0 : <?x?xf32>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<3>

  sluice.role "give" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free by one : <3>
      sluice.mbarrier.arrive %full[%slot] by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }

  sluice.role "take" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %old = %start)
        -> (!sluice.cursor<3>, !sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%slot], %phase by one : <3>
      %third = arith.cmpi sge, %t, %c2 : index
      %on = scf.if %third -> !sluice.cursor<3> {
        %back = sluice.cursor.slot %old : <3>
        sluice.mbarrier.arrive %empty[%back] by one : <3>
        %o = sluice.cursor.advance %old : <3>
        scf.yield %o : !sluice.cursor<3>
      } else {
        scf.yield %old : !sluice.cursor<3>
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next, %on : !sluice.cursor<3>, !sluice.cursor<3>
    }
  }
}
