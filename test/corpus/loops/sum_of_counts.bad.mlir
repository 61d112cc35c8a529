// RUN: not sluice check %s --set A=0x0 Q=0x0 | FileCheck %s
// The same, but both loops are over the first extent.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %s = arith.addi %M, %K : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %M step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    %end2 = scf.for %t = %c0 to %M step %c1 iter_args(%at = %end) -> (!sluice.cursor<3>) {
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
    %end = scf.for %t = %c0 to %s step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
