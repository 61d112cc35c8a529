// RUN: not sluice check %s --set N=8x2 | FileCheck %s
// A CTA asks about its coordinate when it has gone round a loop over it and another.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?x?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %N, 0 : <?x?xi32>
  %kk = sluice.dim %N, 1 : <?x?xi32>
  %x = sluice.grid %n : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %x step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %k = %c0 to %kk step %c1 {
    sluice.bar.sync 0, 32
  }
  %q = arith.remsi %x, %c64 : index
  %is = arith.cmpi eq, %q, %c40 : index
  scf.if %is {
    sluice.mbarrier.wait %bar[%c0], %c0 : <1>
  }
}
