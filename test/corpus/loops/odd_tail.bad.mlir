// RUN: not sluice check %s | FileCheck %s
// As odd_tail.ok, but the tail is taken where the number is even.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %half = arith.divsi %n, %c2 : index
  %rest = arith.remsi %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start2 = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %half step %c1 iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <2>
      sluice.mbarrier.arrive %xf[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      %slot2 = sluice.cursor.slot %next : <2>
      %phase2 = sluice.cursor.phase %next : <2>
      %free2 = arith.xori %phase2, %c1 : index
      sluice.mbarrier.wait %xe[%slot2], %free2 : <2>
      sluice.mbarrier.arrive %xf[%slot2] by warp : <2>
      %next2 = sluice.cursor.advance %next : <2>
      scf.yield %next2 : !sluice.cursor<2>
    }
    %end2 = scf.if %even -> (!sluice.cursor<2>) {
      %slot3 = sluice.cursor.slot %end : <2>
      %phase3 = sluice.cursor.phase %end : <2>
      %free3 = arith.xori %phase3, %c1 : index
      sluice.mbarrier.wait %xe[%slot3], %free3 : <2>
      sluice.mbarrier.arrive %xf[%slot3] by warp : <2>
      %next3 = sluice.cursor.advance %end : <2>
      scf.yield %next3 : !sluice.cursor<2>
    } else {
      scf.yield %end : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %xf[%slot], %phase : <2>
      sluice.mbarrier.arrive %xe[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
