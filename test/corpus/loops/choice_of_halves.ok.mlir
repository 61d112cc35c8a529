// RUN: sluice check %s --set A=0x0 | FileCheck %s
// One loop fills a ring up to n / 2 and another one behind it; each ring has a loop that waits.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %h = arith.divsi %N, %c2 : index
  %r = arith.subi %N, %h : index
  %hu = arith.ceildivsi %N, %c2 : index
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
    %end:2 = scf.for %t = %c0 to %N step %c1 iter_args(%x = %xc, %y = %yc) -> (!sluice.cursor<3>, !sluice.cursor<2>) {
      %first = arith.cmpi slt, %t, %h : index
      %o:2 = scf.if %first -> (!sluice.cursor<3>, !sluice.cursor<2>) {
      %pslot = sluice.cursor.slot %x : <3>
      %pphase = sluice.cursor.phase %x : <3>
      %pfree = arith.xori %pphase, %c1 : index
      sluice.mbarrier.wait %xe[%pslot], %pfree : <3>
      sluice.mbarrier.arrive %xf[%pslot] by warp : <3>
      %pnext = sluice.cursor.advance %x : <3>
      scf.yield %pnext, %y : !sluice.cursor<3>, !sluice.cursor<2>
      } else {
      %qslot = sluice.cursor.slot %y : <2>
      %qphase = sluice.cursor.phase %y : <2>
      %qfree = arith.xori %qphase, %c1 : index
      sluice.mbarrier.wait %ye[%qslot], %qfree : <2>
      sluice.mbarrier.arrive %yf[%qslot] by warp : <2>
      %qnext = sluice.cursor.advance %y : <2>
      scf.yield %x, %qnext : !sluice.cursor<3>, !sluice.cursor<2>
      }
      scf.yield %o#0, %o#1 : !sluice.cursor<3>, !sluice.cursor<2>
    }
  }
  sluice.role "x" warps 1 to 2 {
    %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%kslot], %kphase : <3>
      sluice.mbarrier.arrive %xe[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
  sluice.role "y" warps 2 to 3 {
    %end = scf.for %t = %h to %N step %c1 iter_args(%at = %yc) -> (!sluice.cursor<2>) {
      %kslot = sluice.cursor.slot %at : <2>
      %kphase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %yf[%kslot], %kphase : <2>
      sluice.mbarrier.arrive %ye[%kslot] by warp : <2>
      %knext = sluice.cursor.advance %at : <2>
      scf.yield %knext : !sluice.cursor<2>
    }
  }
}
