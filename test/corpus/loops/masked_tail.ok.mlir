// RUN: sluice check %s | FileCheck %s
// The role that computes has two loops, as where its last tiles are masked; the one that loads has
// one.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %h = arith.divsi %n, %c2 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start2 = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <2>
      sluice.mbarrier.arrive %xf[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %xf[%slot], %phase : <2>
      sluice.mbarrier.arrive %xe[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    %end2 = scf.for %t2 = %h to %n step %c1 iter_args(%at2 = %end) -> (!sluice.cursor<2>) {
      %slot2 = sluice.cursor.slot %at2 : <2>
      %phase2 = sluice.cursor.phase %at2 : <2>
      sluice.mbarrier.wait %xf[%slot2], %phase2 : <2>
      sluice.mbarrier.arrive %xe[%slot2] by warp : <2>
      %next2 = sluice.cursor.advance %at2 : <2>
      scf.yield %next2 : !sluice.cursor<2>
    }
  }
}
