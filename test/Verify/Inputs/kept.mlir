// Round three of the outer loop waits for an arrival that nobody makes: in LATER behind an inner
// loop, in INSIDE within it, in HANDED by a value that a second inner loop begins with.
sluice.kernel @kept(%rounds: index {sluice.name = "rounds"}, %trips: index {sluice.name = "trips"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %never = sluice.mbarrier.alloc "never" : !sluice.mbarrier<1>
  sluice.mbarrier.init %never count 1 by one : <1>
  sluice.fence mbarrier_init by one
  %begin = sluice.cursor : !sluice.cursor<3>
  scf.for %r = %c0 to %rounds step %c1 iter_args(%at = %begin) -> (!sluice.cursor<3>) {
    %slot = sluice.cursor.slot %at : <3>
    %bad = arith.cmpi eq, %slot, %c2 : index
    scf.for %t = %c0 to %trips step %c1 {
      sluice.warp_sync
      scf.if %bad { // INSIDE
        sluice.mbarrier.wait %never[%c0], %c0 : <1> // INSIDE
      } // INSIDE
    }
    scf.if %bad { // LATER
      sluice.mbarrier.wait %never[%c0], %c0 : <1> // LATER
    } // LATER
    %end = scf.for %t = %c0 to %trips step %c1 iter_args(%own = %at) -> (!sluice.cursor<3>) { // HANDED
      sluice.warp_sync // HANDED
      %ownSlot = sluice.cursor.slot %own : <3> // HANDED
      %ownBad = arith.cmpi eq, %ownSlot, %c2 : index // HANDED
      scf.if %ownBad { // HANDED
        sluice.mbarrier.wait %never[%c0], %c0 : <1> // HANDED
      } // HANDED
      scf.yield %own : !sluice.cursor<3> // HANDED
    } // HANDED
    %next = sluice.cursor.advance %at : <3>
    scf.yield %next : !sluice.cursor<3>
  }
}
