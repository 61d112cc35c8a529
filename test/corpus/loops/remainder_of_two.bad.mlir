// RUN: not sluice check %s --set N=8x9x2 | FileCheck %s
// A role asks about the remainder of two extents, over which another goes round.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?x?x?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %N, 0 : <?x?x?xi32>
  %d = sluice.dim %N, 1 : <?x?x?xi32>
  %kk = sluice.dim %N, 2 : <?x?x?xi32>
  %x = sluice.grid %c1 : index
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    %m = arith.remsi %n, %d : index
    scf.for %t = %c0 to %m step %c1 {
      sluice.bar.sync 1, 32
    }
    sluice.bar.sync 0, 64
  }
  sluice.role "b" warps 1 to 2 {
    sluice.bar.sync 0, 64
    scf.for %k = %c0 to %kk step %c1 {
      sluice.bar.sync 2, 32
    }
    %m2 = arith.remsi %n, %d : index
    %q = arith.remsi %m2, %c64 : index
    %is = arith.cmpi eq, %q, %c40 : index
    scf.if %is {
      sluice.mbarrier.wait %bar[%c0], %c0 : <1>
    }
  }
}
