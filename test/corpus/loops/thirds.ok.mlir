// RUN: sluice check %s --set A=0x0 | FileCheck %s
// n / 3, 2 n / 3 and the rest, against one loop over n.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %a = arith.divsi %N, %c3 : index
  %a2 = arith.muli %N, %c2 : index
  %b = arith.divsi %a2, %c3 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  %yf = sluice.mbarrier.alloc "yf" : !sluice.mbarrier<1>
  sluice.mbarrier.init %yf count 1 by one : <1>
  %ye = sluice.mbarrier.alloc "ye" : !sluice.mbarrier<1>
  sluice.mbarrier.init %ye count 1 by one : <1>
  %yc = sluice.cursor : !sluice.cursor<1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 96
  sluice.role "load" warps 0 to 1 {
    %end0 = scf.for %t = %c0 to %a step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      %kfree = arith.xori %kphase, %c1 : index
      sluice.mbarrier.wait %xe[%kslot], %kfree : <3>
      sluice.mbarrier.arrive %xf[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
    %end1 = scf.for %t = %a to %b step %c1 iter_args(%at = %end0) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      %kfree = arith.xori %kphase, %c1 : index
      sluice.mbarrier.wait %xe[%kslot], %kfree : <3>
      sluice.mbarrier.arrive %xf[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
    %end2 = scf.for %t = %b to %N step %c1 iter_args(%at = %end1) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      %kfree = arith.xori %kphase, %c1 : index
      sluice.mbarrier.wait %xe[%kslot], %kfree : <3>
      sluice.mbarrier.arrive %xf[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
  sluice.role "x" warps 1 to 2 {
    %end = scf.for %t = %c0 to %N step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%kslot], %kphase : <3>
      sluice.mbarrier.arrive %xe[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
}
