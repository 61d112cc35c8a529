// A protocol and no more: `give` brings the a's of a step, one after the other, and then its b;
// `take` waits for b first.
sluice.kernel @two(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %X, 0 : <?x?xf32>
  %a_full = sluice.mbarrier.alloc "a_full" : !sluice.mbarrier<2>
  %a_empty = sluice.mbarrier.alloc "a_empty" : !sluice.mbarrier<2>
  %b_full = sluice.mbarrier.alloc "b_full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %a_full count 1 by one : <2>
  sluice.mbarrier.init %a_empty count 1 by one : <2>
  sluice.mbarrier.init %b_full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "give" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %again = arith.cmpi sge, %t, %c0 : index // AGAIN
      scf.if %again {
        sluice.mbarrier.wait %a_empty[%slot], %free by one : <2>
      }
      sluice.mbarrier.arrive %a_full[%slot] by one : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.mbarrier.arrive %b_full[%c0] by one : <1>
  }

  sluice.role "take" warps 1 to 2 {
    sluice.mbarrier.wait %b_full[%c0], %c0 by one : <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %a_full[%slot], %phase by one : <2>
      sluice.mbarrier.arrive %a_empty[%slot] by one : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
