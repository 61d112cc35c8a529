// RUN: not sluice check %s --set A=0x0 | FileCheck %s
// The same, but the second loop begins at n - 1.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %m = arith.subi %N, %c2 : index
  %h = arith.maxsi %m, %c0 : index
  %m1 = arith.subi %N, %c1 : index
  %h1 = arith.maxsi %m1, %c0 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    %end2 = scf.for %t = %h1 to %N step %c1 iter_args(%at = %end) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %t = %c0 to %N step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
