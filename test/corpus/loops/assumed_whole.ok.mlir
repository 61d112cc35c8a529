// RUN: sluice check %s --set A=16x2048 | FileCheck %s
// K is assumed to be whole tiles of 64 and 128 at least: the second loop begins where the first ends.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %K = sluice.dim %A, 1 : <?x?xf16>
  %cta = sluice.grid %c1 : index
  %h = arith.constant 128 : index
  %c64 = arith.constant 64 : index
  %long = arith.cmpi sge, %K, %h : index
  sluice.assume %long, "K is long"
  %rest = arith.remsi %K, %c64 : index
  %whole = arith.cmpi eq, %rest, %c0 : index
  sluice.assume %whole, "K is whole"
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    %et = scf.for %t = %c0 to %h step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      %o = arith.xori %p, %c1 : index
      sluice.mbarrier.wait %empty[%s], %o : <3>
      sluice.mbarrier.arrive %full[%s] by one : <3>
      %on = sluice.cursor.advance %at : <3>
      scf.yield %on : !sluice.cursor<3>
    }
    %eu = scf.for %u = %h to %K step %c1 iter_args(%at = %et) -> (!sluice.cursor<3>) {
      %s2 = sluice.cursor.slot %at : <3>
      %p2 = sluice.cursor.phase %at : <3>
      %o2 = arith.xori %p2, %c1 : index
      sluice.mbarrier.wait %empty[%s2], %o2 : <3>
      sluice.mbarrier.arrive %full[%s2] by one : <3>
      %on2 = sluice.cursor.advance %at : <3>
      scf.yield %on2 : !sluice.cursor<3>
    }
  }
  sluice.role "take" warps 1 to 2 {
    %et = scf.for %t = %c0 to %K step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %s = sluice.cursor.slot %at : <3>
      %p = sluice.cursor.phase %at : <3>
      %o = arith.xori %p, %c1 : index
      sluice.mbarrier.wait %full[%s], %p : <3>
      sluice.mbarrier.arrive %empty[%s] by one : <3>
      %on = sluice.cursor.advance %at : <3>
      scf.yield %on : !sluice.cursor<3>
    }
  }
}
