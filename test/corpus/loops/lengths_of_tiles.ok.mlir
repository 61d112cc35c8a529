// RUN: sluice check %s | FileCheck %s
// A grid of as many CTAs as an extent says takes tiles in turn, each as long as an integer of a
// tensor says.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %N = sluice.dim %A, 1 : <?x?xf32>
  %m = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %cta = sluice.grid %n : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start2 = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %tile = %cta to %m step %n iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %length = sluice.scalar_load %L[%tile] : <?xi32>
      %trips = sluice.uniform %length : index
      %end2 = scf.for %t = %c0 to %trips step %c1 iter_args(%at2 = %at) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at2 : <2>
        %phase = sluice.cursor.phase %at2 : <2>
        %free = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %xe[%slot], %free : <2>
        sluice.mbarrier.arrive %xf[%slot] by warp : <2>
        %next = sluice.cursor.advance %at2 : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %end2 : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %tile = %cta to %m step %n iter_args(%at = %start2) -> (!sluice.cursor<2>) {
      %length = sluice.scalar_load %L[%tile] : <?xi32>
      %trips = sluice.uniform %length : index
      %end2 = scf.for %t = %c0 to %trips step %c1 iter_args(%at2 = %at) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at2 : <2>
        %phase = sluice.cursor.phase %at2 : <2>
        sluice.mbarrier.wait %xf[%slot], %phase : <2>
        sluice.mbarrier.arrive %xe[%slot] by warp : <2>
        %next = sluice.cursor.advance %at2 : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %end2 : !sluice.cursor<2>
    }
  }
}
