// RUN: sluice check %s | FileCheck %s
// One role counts ceildiv(n, 64) tiles, the other (n + 63) >> 6.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %n = arith.ceildivsi %N, %c64 : index
  %up = arith.addi %N, %c63 : index
  %m = arith.shrsi %up, %c6 : index
  %cta = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.mbarrier.arrive %full[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "math" warps 1 to 2 {
    %end = scf.for %t = %c0 to %m step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}
