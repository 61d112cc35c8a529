// RUN: not sluice check %s --set A=1x1 Q=1x1 | FileCheck %s
// The same, but each tile has one step more for the role that goes on to the next.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %all = arith.muli %K, %N : index
  %K1 = arith.addi %K, %c1 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<2>
  sluice.role "p" warps 0 to 1 {
    scf.for %o = %c0 to %N step %c1 iter_args(%w = %st) -> (!sluice.cursor<2>) {
      %e = scf.for %u = %c0 to %K step %c1 iter_args(%at = %w) -> (!sluice.cursor<2>) {
      %first = arith.cmpi eq, %u, %c0 : index
      scf.if %first {
        sluice.bar.sync 1, 64
      }
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <2>
      sluice.mbarrier.arrive %xf[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %e : !sluice.cursor<2>
    }
  }
  sluice.role "c" warps 1 to 2 {
    scf.for %it = %c0 to %all step %c1 iter_args(%at = %st) -> (!sluice.cursor<2>) {
      %k = arith.remsi %it, %K1 : index
      %first = arith.cmpi eq, %k, %c0 : index
      scf.if %first {
        sluice.bar.sync 1, 64
      }
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %xf[%slot], %phase : <2>
      sluice.mbarrier.arrive %xe[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
