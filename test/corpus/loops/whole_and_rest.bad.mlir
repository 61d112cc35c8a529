// RUN: not sluice check %s --set A=1x1 Q=1x1 | FileCheck %s
// The role that waits leaves the rest of up to four steps out, and the ring has three slots.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
    %r = arith.remsi %N, %c5 : index
    %m = arith.subi %N, %r : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "p" warps 0 to 1 {
    %e = scf.for %t = %c0 to %m step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    %e2 = scf.for %t = %m to %N step %c1 iter_args(%at = %e) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "c" warps 1 to 2 {
    %end = scf.for %t = %c0 to %m step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
