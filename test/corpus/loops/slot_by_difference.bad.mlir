// RUN: not sluice check %s --set A=1x1 Q=1x1 | FileCheck %s
// The same, but the parity is that of the slot.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "p" warps 0 to 1 {
    %e0 = scf.for %o = %c0 to %N step %c1 iter_args(%w = %c0) -> (index) {
    %e1 = scf.for %u = %c0 to %K step %c1 iter_args(%cnt = %w) -> (index) {
      %qs = arith.divsi %cnt, %c3 : index
      %qcs = arith.muli %qs, %c3 : index
      %rems = arith.subi %cnt, %qcs : index
      %qp = arith.divsi %rems, %c2 : index
      %qcp = arith.muli %qp, %c2 : index
      %remp = arith.subi %rems, %qcp : index
      %fr = arith.xori %remp, %c1 : index
      sluice.mbarrier.wait %xe[%rems], %fr : <3>
      sluice.mbarrier.arrive %xf[%rems] by warp : <3>
      %cn = arith.addi %cnt, %c1 : index
      scf.yield %cn : index
    }
    scf.yield %e1 : index
    }
  }
  sluice.role "c" warps 1 to 2 {
    %e0 = scf.for %o = %c0 to %N step %c1 iter_args(%w = %st) -> (!sluice.cursor<3>) {
    %e1 = scf.for %t = %c0 to %K step %c1 iter_args(%at = %w) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    scf.yield %e1 : !sluice.cursor<3>
    }
  }
}
