// Round five of the outer loop waits for an arrival that nobody makes: in LATER behind an inner
// loop, in INSIDE within it from the third trip on, in HANDED by a value that a second inner loop
// begins with.
sluice.kernel @kept(%rounds: index {sluice.name = "rounds"}, %trips: index {sluice.name = "trips"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %some = sluice.mbarrier.alloc "some" : !sluice.mbarrier<5>
  sluice.mbarrier.init %some count 1 by one : <5>
  sluice.fence mbarrier_init by one
  sluice.warp_sync
  sluice.mbarrier.arrive %some[%c0] by warp : <5>
  sluice.mbarrier.arrive %some[%c1] by warp : <5>
  sluice.mbarrier.arrive %some[%c2] by warp : <5>
  sluice.mbarrier.arrive %some[%c3] by warp : <5>
  sluice.mbarrier.arrive %some[%c4] by warp : <5> // MADE
  %begin = sluice.cursor : !sluice.cursor<5>
  %n = arith.addi %trips, %c2 : index
  scf.for %r = %c0 to %rounds step %c1 iter_args(%at = %begin) -> (!sluice.cursor<5>) {
    %slot = sluice.cursor.slot %at : <5>
    scf.for %t = %c0 to %n step %c1 {
      sluice.warp_sync
      %again = arith.cmpi sgt, %t, %c1 : index // INSIDE
      scf.if %again { // INSIDE
        sluice.mbarrier.wait %some[%slot], %c0 : <5> // INSIDE
      } // INSIDE
    }
    sluice.mbarrier.wait %some[%slot], %c0 : <5> // LATER
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%own = %at) -> (!sluice.cursor<5>) { // HANDED
      %ownSlot = sluice.cursor.slot %own : <5> // HANDED
      sluice.mbarrier.wait %some[%ownSlot], %c0 : <5> // HANDED
      scf.yield %own : !sluice.cursor<5> // HANDED
    } // HANDED
    %next = sluice.cursor.advance %at : <5>
    scf.yield %next : !sluice.cursor<5>
  }
}
