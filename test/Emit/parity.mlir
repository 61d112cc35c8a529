// RUN: sluice emit %s --single-file | FileCheck %s
// The hardware takes 0 and 1 for a parity (PTX ISA, mbarrier.try_wait.parity); a number is taken modulo 2.
// CHECK: mbarrierWait(full[0], (neg) & 1);
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %n step %c1 {
    %neg = arith.subi %c0, %t : index
    sluice.mbarrier.arrive %full[%c0] by one : <1>
    sluice.mbarrier.wait %full[%c0], %neg : <1>
    sluice.bar.sync 0, 32
  }
}
