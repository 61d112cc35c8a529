// RUN: sluice check %s | FileCheck %s
// (n / 7) * 7 + n % 7 is n.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %q = arith.divsi %N, %c7 : index
  %qc = arith.muli %q, %c7 : index
  %r = arith.remsi %N, %c7 : index
  %x = arith.addi %qc, %r : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<2>
  sluice.role "p" warps 0 to 1 {
    %end = scf.for %t = %c0 to %x step %c1 iter_args(%at = %st) -> (!sluice.cursor<2>) {
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
