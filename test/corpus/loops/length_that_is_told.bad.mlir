// RUN: not sluice check %s --set N=1 M=1 P=1 X=32x32 | FileCheck %s
// The same, but nothing orders the two roles: the first one has ended when the second one, which
// waits for the third in its first round, comes to store.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%N: !sluice.tensor<?xf32> {sluice.name = "N"},
                 %M: !sluice.tensor<?xf32> {sluice.name = "M"},
                 %P: !sluice.tensor<?xf32> {sluice.name = "P"},
                 %X: !sluice.tensor<?x32xf32> {sluice.name = "X", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %N, 0 : <?xf32>
  %m = sluice.dim %M, 0 : <?xf32>
  %p = sluice.dim %P, 0 : <?xf32>
  %g = sluice.grid %c1 : index
  %s = sluice.alloc "s" : !sluice.buffer<1x32xf32, smem, row>
  %go = sluice.mbarrier.alloc "go" : !sluice.mbarrier<1>
  sluice.mbarrier.init %go count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %s with 0.0 : <1x32xf32, smem, row>
  sluice.bar.sync 0, 96
  %rounds = arith.minsi %n, %c2 : index
  %some = arith.cmpi sge, %n, %c1 : index
  sluice.role "first" warps 0 to 1 {
    scf.for %o = %c0 to %rounds step %c1 {
      %last = arith.cmpi eq, %o, %c1 : index
      scf.if %last {
        scf.for %t = %c0 to %m step %c1 {
          sluice.store %s to %X[%t, %c0] : <1x32xf32, smem, row>, <?x32xf32>
        }
      }
    }
  }
  sluice.role "second" warps 1 to 2 {
    scf.for %o = %c0 to %rounds step %c1 {
      %last = arith.cmpi eq, %o, %c1 : index
      %front = arith.cmpi eq, %o, %c0 : index
      scf.if %last {
        scf.for %t = %c0 to %m step %c1 {
          sluice.store %s to %X[%t, %c0] : <1x32xf32, smem, row>, <?x32xf32>
        }
      }
      scf.if %front {
        sluice.mbarrier.wait %go[%c0], %c0 : <1>
      }
    }
  }
  sluice.role "third" warps 2 to 3 {
    %more = arith.cmpi sgt, %p, %c0 : index
    scf.if %more {
      sluice.warp_sync
    }
    scf.if %some {
      sluice.mbarrier.arrive %go[%c0] by one : <1>
    }
  }
}
