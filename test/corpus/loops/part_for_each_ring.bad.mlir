// RUN: not sluice check %s --set A=0x0 | FileCheck %s
// The same, but the rest is filled from a step later on.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %h = arith.divsi %N, %c3 : index
  %h1 = arith.addi %h, %c1 : index
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
    %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %xe[%slot], %free : <3>
      sluice.mbarrier.arrive %xf[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    %end2 = scf.for %t = %h1 to %N step %c1 iter_args(%at = %yc) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %ye[%slot], %free : <2>
      sluice.mbarrier.arrive %yf[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %t = %c0 to %h step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%slot], %phase : <3>
      sluice.mbarrier.arrive %xe[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "math2" warps 2 to 3 {
    %end = scf.for %t = %h to %N step %c1 iter_args(%at = %yc) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %yf[%slot], %phase : <2>
      sluice.mbarrier.arrive %ye[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
