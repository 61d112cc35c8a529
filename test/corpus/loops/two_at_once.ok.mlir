// RUN: sluice check %s --set A=0x0 | FileCheck %s
// The same, set back in a branch.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = sluice.dim %A, 0 : <?x?xf32>
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.maxsi %N, %c1 : index
  %total = arith.muli %T, %n : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  %yf = sluice.mbarrier.alloc "yf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %yf count 1 by one : <2>
  %ye = sluice.mbarrier.alloc "ye" : !sluice.mbarrier<2>
  sluice.mbarrier.init %ye count 1 by one : <2>
  %yc = sluice.cursor : !sluice.cursor<2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 96
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %total step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      %kfree = arith.xori %kphase, %c1 : index
      sluice.mbarrier.wait %xe[%kslot], %kfree : <3>
      sluice.mbarrier.arrive %xf[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end:3 = scf.for %t = %c0 to %total step %c1 iter_args(%at = %xc, %y = %yc, %k = %c0) -> (!sluice.cursor<3>, !sluice.cursor<2>, index) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%kslot], %kphase : <3>
      sluice.mbarrier.arrive %xe[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      %inc = arith.addi %k, %c1 : index
      %last = arith.cmpi eq, %inc, %n : index
      %o = scf.if %last -> (!sluice.cursor<2>) {
      %qslot = sluice.cursor.slot %y : <2>
      %qphase = sluice.cursor.phase %y : <2>
      %qfree = arith.xori %qphase, %c1 : index
      sluice.mbarrier.wait %ye[%qslot], %qfree : <2>
      sluice.mbarrier.arrive %yf[%qslot] by warp : <2>
      %qnext = sluice.cursor.advance %y : <2>
      scf.yield %qnext : !sluice.cursor<2>
      } else {
      scf.yield %y : !sluice.cursor<2>
      }
      %nk = scf.if %last -> (index) {
        scf.yield %c0 : index
      } else {
        scf.yield %inc : index
      }
      scf.yield %knext, %o, %nk : !sluice.cursor<3>, !sluice.cursor<2>, index
    }
  }
  sluice.role "store" warps 2 to 3 {
    %end = scf.for %t = %c0 to %T step %c1 iter_args(%at = %yc) -> (!sluice.cursor<2>) {
      %kslot = sluice.cursor.slot %at : <2>
      %kphase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %yf[%kslot], %kphase : <2>
      sluice.mbarrier.arrive %ye[%kslot] by warp : <2>
      %knext = sluice.cursor.advance %at : <2>
      scf.yield %knext : !sluice.cursor<2>
    }
  }
}
