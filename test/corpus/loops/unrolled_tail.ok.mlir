// RUN: sluice check %s | FileCheck %s
// n - n % 3 steps in rounds of three, then a loop over the rest.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
    %r = arith.remsi %N, %c3 : index
    %m = arith.subi %N, %r : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<2>
  sluice.role "p" warps 0 to 1 {
    %e = scf.for %t = %c0 to %m step %c3 iter_args(%at = %st) -> (!sluice.cursor<2>) {
      %slot0 = sluice.cursor.slot %at : <2>
      %phase0 = sluice.cursor.phase %at : <2>
      %free0 = arith.xori %phase0, %c1 : index
      sluice.mbarrier.wait %xe[%slot0], %free0 : <2>
      sluice.mbarrier.arrive %xf[%slot0] by warp : <2>
      %next0 = sluice.cursor.advance %at : <2>
      %slot1 = sluice.cursor.slot %next0 : <2>
      %phase1 = sluice.cursor.phase %next0 : <2>
      %free1 = arith.xori %phase1, %c1 : index
      sluice.mbarrier.wait %xe[%slot1], %free1 : <2>
      sluice.mbarrier.arrive %xf[%slot1] by warp : <2>
      %next1 = sluice.cursor.advance %next0 : <2>
      %slot2 = sluice.cursor.slot %next1 : <2>
      %phase2 = sluice.cursor.phase %next1 : <2>
      %free2 = arith.xori %phase2, %c1 : index
      sluice.mbarrier.wait %xe[%slot2], %free2 : <2>
      sluice.mbarrier.arrive %xf[%slot2] by warp : <2>
      %next2 = sluice.cursor.advance %next1 : <2>
      scf.yield %next2 : !sluice.cursor<2>
    }
    %e2 = scf.for %t = %m to %N step %c1 iter_args(%at = %e) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <2>
      sluice.mbarrier.arrive %xf[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "c" warps 1 to 2 {
    %end = scf.for %t = %c0 to %N step %c1 iter_args(%at = %st) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %xf[%slot], %phase : <2>
      sluice.mbarrier.arrive %xe[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
