// RUN: sluice check %s --set A=0x1 S=1 T=1 | FileCheck %s
// Two roles ask how far two integers of tensors are apart, one after the other.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %S: !sluice.tensor<?xi32> {sluice.name = "S"},
                 %T: !sluice.tensor<?xi32> {sluice.name = "T"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %N = sluice.dim %T, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %bad = sluice.mbarrier.alloc "bad" : !sluice.mbarrier<1>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bad count 1 by one : <1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %empty count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "first" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.remsi %t, %c2 : index
      %o = arith.xori %p, %c1 : index
      sluice.mbarrier.wait %empty[%c0], %o : <1>
      %xa = sluice.scalar_load %T[%t] : <?xi32>
      %va = sluice.uniform %xa : index
      %ya = sluice.scalar_load %S[%t] : <?xi32>
      %wa = sluice.uniform %ya : index
      %atc0 = arith.addi %va, %c0 : index
      %isc0 = arith.cmpi slt, %atc0, %wa : index
      scf.if %isc0 {
        sluice.warp_sync
      }
      %atc5 = arith.addi %va, %c5 : index
      %isc5 = arith.cmpi slt, %atc5, %wa : index
      scf.if %isc5 {
        sluice.warp_sync
      }
      %atc10 = arith.addi %va, %c10 : index
      %isc10 = arith.cmpi slt, %atc10, %wa : index
      scf.if %isc10 {
        sluice.warp_sync
      }
      %l = sluice.scalar_load %S[%t] : <?xi32>
      %length = sluice.uniform %l : index
      %long = arith.cmpi sgt, %length, %c2 : index
      scf.if %long {
        sluice.warp_sync
      }
      sluice.mbarrier.arrive %full[%c0] by one : <1>
    }
  }
  sluice.role "second" warps 1 to 2 {
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.remsi %t, %c2 : index
      sluice.mbarrier.wait %full[%c0], %p : <1>
      %xb = sluice.scalar_load %T[%t] : <?xi32>
      %vb = sluice.uniform %xb : index
      %yb = sluice.scalar_load %S[%t] : <?xi32>
      %wb = sluice.uniform %yb : index
      %from = arith.addi %vb, %c5 : index
      %to = arith.addi %vb, %c10 : index
      %above = arith.cmpi slt, %from, %wb : index
      %below = arith.cmpi sge, %to, %wb : index
      %is = arith.andi %above, %below : i1
      scf.if %is {
        sluice.warp_sync
      }
      sluice.mbarrier.arrive %empty[%c0] by one : <1>
    }
  }
}
