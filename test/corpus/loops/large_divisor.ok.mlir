// RUN: sluice check %s | FileCheck %s
// How many tiles of 2^20 elements there are is compared with 3, as n is with three of them by
// who fills the slot.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 1048576 : index
  %most = arith.constant 3 : index
  %all = arith.constant 3145728 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    %few = arith.cmpi sle, %n, %all : index
    scf.if %few {
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
