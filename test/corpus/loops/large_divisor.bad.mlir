// RUN: not sluice check %s --set N=0 | FileCheck %s
// How many tiles of 2^40 elements there are is compared with 2^30, which no launch reaches; the
// slot is filled where n is 0 alone.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 1099511627776 : index
  %most = arith.constant 1073741824 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    %none = arith.cmpi eq, %n, %c0 : index
    scf.if %none {
      sluice.mbarrier.arrive %full[%c0] by warp : <1>
    }
  }
  sluice.role "take" warps 1 to 2 {
    %tiles = arith.ceildivsi %n, %size : index
    %few = arith.cmpi sle, %tiles, %most : index
    scf.if %few {
      sluice.mbarrier.wait %full[%c0], %c0 : <1>
    }
  }
}
