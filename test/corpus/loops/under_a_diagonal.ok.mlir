// RUN: sluice check %s --set A=2x1 Q=2x1 ctas=2 | FileCheck %s
// One role makes min(n, i + 1) steps for tile i, the other one goes through n and takes those with
// t <= i.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"},
                 %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %cta = sluice.grid %ctas : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %all = scf.for %i = %cta to %M step %ctas iter_args(%before = %xc) -> (!sluice.cursor<3>) {
      %i1 = arith.addi %i, %c1 : index
      %h = arith.minsi %N, %i1 : index
      %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %before) -> (!sluice.cursor<3>) {
        %slot = sluice.cursor.slot %at : <3>
        %phase = sluice.cursor.phase %at : <3>
        %free = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %xe[%slot], %free : <3>
        sluice.mbarrier.arrive %xf[%slot] by warp : <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      }
      scf.yield %end : !sluice.cursor<3>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %all = scf.for %i = %cta to %M step %ctas iter_args(%before = %xc) -> (!sluice.cursor<3>) {
      %end = scf.for %t = %c0 to %N step %c1 iter_args(%at = %before) -> (!sluice.cursor<3>) {
        %go = arith.cmpi sle, %t, %i : index
        %last = scf.if %go -> (!sluice.cursor<3>) {
          %slot = sluice.cursor.slot %at : <3>
          %phase = sluice.cursor.phase %at : <3>
          sluice.mbarrier.wait %xf[%slot], %phase : <3>
          sluice.mbarrier.arrive %xe[%slot] by warp : <3>
          %next = sluice.cursor.advance %at : <3>
          scf.yield %next : !sluice.cursor<3>
        } else {
          scf.yield %at : !sluice.cursor<3>
        }
        scf.yield %last : !sluice.cursor<3>
      }
      scf.yield %end : !sluice.cursor<3>
    }
  }
}
