// RUN: sluice check %s --set A=2x1 Q=2x1 ctas=2 | FileCheck %s
// Tile i has n - i steps, two at most, and one more where it has any.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"},
                 %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %cta = sluice.grid %ctas : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  %xc = sluice.cursor : !sluice.cursor<2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %all = scf.for %i = %cta to %M step %ctas iter_args(%before = %xc) -> (!sluice.cursor<2>) {
      %left = arith.subi %N, %i : index
      %h = arith.minsi %left, %c2 : index
      %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %before) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        %free = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %xe[%slot], %free : <2>
        sluice.mbarrier.arrive %xf[%slot] by warp : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      %some = arith.cmpi sgt, %left, %c0 : index
      %over = scf.if %some -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %end : <2>
        %phase = sluice.cursor.phase %end : <2>
        %free = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %xe[%slot], %free : <2>
        sluice.mbarrier.arrive %xf[%slot] by warp : <2>
        %next = sluice.cursor.advance %end : <2>
        scf.yield %next : !sluice.cursor<2>
      } else {
        scf.yield %end : !sluice.cursor<2>
      }
      scf.yield %over : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %all = scf.for %i = %cta to %M step %ctas iter_args(%before = %xc) -> (!sluice.cursor<2>) {
      %left = arith.subi %N, %i : index
      %h = arith.minsi %left, %c2 : index
      %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %before) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        sluice.mbarrier.wait %xf[%slot], %phase : <2>
        sluice.mbarrier.arrive %xe[%slot] by warp : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      %some = arith.cmpi sge, %h, %c1 : index
      %over = scf.if %some -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %end : <2>
        %phase = sluice.cursor.phase %end : <2>
        sluice.mbarrier.wait %xf[%slot], %phase : <2>
        sluice.mbarrier.arrive %xe[%slot] by warp : <2>
        %next = sluice.cursor.advance %end : <2>
        scf.yield %next : !sluice.cursor<2>
      } else {
        scf.yield %end : !sluice.cursor<2>
      }
      scf.yield %over : !sluice.cursor<2>
    }
  }
}
