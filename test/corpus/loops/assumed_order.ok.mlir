// RUN: sluice check %s | FileCheck %s
// Two loops are one where A is long: the verdict says that the author assumes it.
// CHECK: {{^}}proven: every launch
// CHECK: assuming stated: A is long (assumed_order.ok.mlir:{{[0-9:]+}}, checked at launch)
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %cta = sluice.grid %c1 : index
  %h = arith.subi %N, %K : index
  %hok = arith.cmpi sge, %h, %c0 : index
  sluice.assume %hok, "A is long"
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
    %eu = scf.for %u = %h to %N step %c1 iter_args(%at = %et) -> (!sluice.cursor<3>) {
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
    %et = scf.for %t = %c0 to %N step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
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
