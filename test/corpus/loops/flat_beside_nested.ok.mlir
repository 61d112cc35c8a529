// RUN: sluice check %s | FileCheck %s
// One role has one loop over tiles and their steps, the other two.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %all = arith.muli %N, %K : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "p" warps 0 to 1 {
    scf.for %it = %c0 to %all step %c1 iter_args(%at = %st) -> (!sluice.cursor<3>) {
      %k = arith.remsi %it, %K : index
      %first = arith.cmpi eq, %k, %c0 : index
      scf.if %first {
        sluice.bar.sync 1, 64
      }
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
    scf.for %o = %c0 to %N step %c1 iter_args(%w = %st) -> (!sluice.cursor<3>) {
      %e = scf.for %u = %c0 to %K step %c1 iter_args(%at = %w) -> (!sluice.cursor<3>) {
      %first = arith.cmpi eq, %u, %c0 : index
      scf.if %first {
        sluice.bar.sync 1, 64
      }
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
      }
      scf.yield %e : !sluice.cursor<3>
    }
  }
}
