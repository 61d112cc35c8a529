// RUN: sluice check %s | FileCheck %s
// x - ((x >> 2) << 2) is the slot.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<4>
  sluice.mbarrier.init %xf count 1 by one : <4>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<4>
  sluice.mbarrier.init %xe count 1 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<4>
  sluice.role "p" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 {
      %qs = arith.shrsi %t, %c2 : index
      %qcs = arith.shli %qs, %c2 : index
      %rems = arith.subi %t, %qcs : index
      %qp = arith.shrsi %qs, %c1 : index
      %qcp = arith.shli %qp, %c1 : index
      %remp = arith.subi %qs, %qcp : index
      %fr = arith.xori %remp, %c1 : index
      sluice.mbarrier.wait %xe[%rems], %fr : <4>
      sluice.mbarrier.arrive %xf[%rems] by warp : <4>
    }
  }
  sluice.role "c" warps 1 to 2 {
    %end = scf.for %t = %c0 to %N step %c1 iter_args(%at = %st) -> (!sluice.cursor<4>) {
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      sluice.mbarrier.wait %xf[%slot], %phase : <4>
      sluice.mbarrier.arrive %xe[%slot] by warp : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
  }
}
