// RUN: sluice check %s | FileCheck %s
// Each CTA takes its share of the steps, of which the last has fewer or none. A slot is given back
// one step late, the last one behind the loop.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %shares: index {sluice.name = "shares"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %cta = sluice.grid %shares : index
  %share = arith.ceildivsi %n, %shares : index
  %from = arith.muli %cta, %share : index
  %end = arith.addi %from, %share : index
  %to = arith.minsi %end, %n : index
  %some = arith.cmpi sgt, %to, %from : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %last = scf.for %t = %from to %to step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
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
    %last:2 = scf.for %t = %from to %to step %c1 iter_args(%at = %start, %before = %start)
        -> (!sluice.cursor<2>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %xf[%slot], %phase : <2>
      %later = arith.cmpi sgt, %t, %from : index
      scf.if %later {
        %old = sluice.cursor.slot %before : <2>
        sluice.mbarrier.arrive %xe[%old] by warp : <2>
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next, %at : !sluice.cursor<2>, !sluice.cursor<2>
    }
    scf.if %some {
      %old = sluice.cursor.slot %last#1 : <2>
      sluice.mbarrier.arrive %xe[%old] by warp : <2>
    }
  }
}
