// RUN: sluice check %s | FileCheck %s
// The number of an iteration of two loops, i * K + t, says its slot and phase.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    scf.for %i = %c0 to %N step %c1 {
      %before = arith.muli %i, %K : index
      scf.for %t = %c0 to %K step %c1 {
        %number = arith.addi %before, %t : index
        %slot = arith.remsi %number, %c3 : index
        %round = arith.divsi %number, %c3 : index
        %phase = arith.andi %round, %c1 : index
        %other = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %empty[%slot], %other : <3>
        sluice.mbarrier.arrive %full[%slot] by one : <3>
      }
    }
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %i = %c0 to %N step %c1 {
      %before = arith.muli %i, %K : index
      scf.for %t = %c0 to %K step %c1 {
        %number = arith.addi %before, %t : index
        %slot = arith.remsi %number, %c3 : index
        %round = arith.divsi %number, %c3 : index
        %phase = arith.andi %round, %c1 : index
        sluice.mbarrier.wait %full[%slot], %phase : <3>
        sluice.mbarrier.arrive %empty[%slot] by one : <3>
      }
    }
  }
}
