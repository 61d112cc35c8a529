// RUN: sluice check %s | FileCheck %s
// Whole rounds of a ring of four: N & -4 iterations, and N - N % 4 of the other role.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m4 = arith.constant -4 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 1 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %over = arith.remsi %N, %c4 : index
  %whole = arith.subi %N, %over : index
  %masked = arith.andi %N, %m4 : index
  sluice.role "put" warps 0 to 1 {
    scf.for %t = %c0 to %masked step %c1 {
      %slot = arith.andi %t, %c3 : index
      %round = arith.shrsi %t, %c2 : index
      %phase = arith.andi %round, %c1 : index
      %other = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %other : <4>
      sluice.mbarrier.arrive %full[%slot] by one : <4>
    }
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %t = %c0 to %whole step %c1 {
      %slot = arith.andi %t, %c3 : index
      %round = arith.shrsi %t, %c2 : index
      %phase = arith.andi %round, %c1 : index
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.mbarrier.arrive %empty[%slot] by one : <4>
    }
  }
}
