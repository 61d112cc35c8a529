// RUN: sluice check %s --set A=0x0 | FileCheck %s
// Loops over columns by 64; a step fills the slot that is read six steps later.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c384 = arith.constant 384 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<6>
  sluice.mbarrier.init %full count 1 by one : <6>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<6>
  sluice.mbarrier.init %empty count 2 by one : <6>
  %c = sluice.cursor : !sluice.cursor<6>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "both" warps 0 to 1 {
    %few = arith.minsi %N, %c384 : index
    %filled = scf.for %first = %c0 to %few step %c64 iter_args(%at = %c) -> (!sluice.cursor<6>) {
      %slot = sluice.cursor.slot %at : <6>
      sluice.mbarrier.arrive %full[%slot] by one : <6>
      %next = sluice.cursor.advance %at : <6>
      scf.yield %next : !sluice.cursor<6>
    }
    %end = scf.for %col = %c0 to %N step %c64 iter_args(%at = %c) -> (!sluice.cursor<6>) {
      %slot = sluice.cursor.slot %at : <6>
      %phase = sluice.cursor.phase %at : <6>
      sluice.mbarrier.wait %full[%slot], %phase : <6>
      sluice.mbarrier.arrive %empty[%slot] by one : <6>
      %next = arith.addi %col, %c384 : index
      %more = arith.cmpi slt, %next, %N : index
      scf.if %more {
        %ahead = sluice.cursor.advance %at by 6 : <6>
        %far = sluice.cursor.slot %ahead : <6>
        %turn = sluice.cursor.phase %ahead : <6>
        %free = arith.xori %turn, %c1 : index
        sluice.mbarrier.wait %empty[%far], %free : <6>
        sluice.mbarrier.arrive %full[%far] by one : <6>
      }
      %on = sluice.cursor.advance %at : <6>
      scf.yield %on : !sluice.cursor<6>
    }
  }
  sluice.role "take" warps 1 to 2 {
    %end = scf.for %col = %c0 to %N step %c64 iter_args(%at = %c) -> (!sluice.cursor<6>) {
      %slot = sluice.cursor.slot %at : <6>
      %phase = sluice.cursor.phase %at : <6>
      sluice.mbarrier.wait %full[%slot], %phase : <6>
      sluice.mbarrier.arrive %empty[%slot] by one : <6>
      %next = sluice.cursor.advance %at : <6>
      scf.yield %next : !sluice.cursor<6>
    }
  }
}
