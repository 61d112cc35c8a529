// RUN: not sluice check %s --set N=3 | FileCheck %s
// A number goes up by 2^44 in each round; the remainder of its half in units of that size by 2^20
// says that round 6000 waits for what nobody signals.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 17592186044416 : index
  %twice = arith.constant 35184372088832 : index
  %rounds = arith.constant 1048576 : index
  %late = arith.constant 3000 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %end = scf.for %t = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    sluice.bar.sync 0, 32
    %units = arith.divsi %k, %twice : index
    %rest = arith.remsi %units, %rounds : index
    %is = arith.cmpi eq, %rest, %late : index
    scf.if %is {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
    %next = arith.addi %k, %step : index
    scf.yield %next : index
  }
}
