// RUN: not sluice check %s --set A=0x1 S=1 T=1 | FileCheck %s
// The same, but where they are the second waits for what nobody signals.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %S: !sluice.tensor<?xi32> {sluice.name = "S"},
                 %T: !sluice.tensor<?xi32> {sluice.name = "T"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
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
      %isa = arith.cmpi eq, %va, %wa : index
      scf.if %isa {
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
      %is = arith.cmpi eq, %vb, %wb : index
      scf.if %is {
        sluice.mbarrier.wait %bad[%c0], %c0 : <1>
      }
      sluice.mbarrier.arrive %empty[%c0] by one : <1>
    }
  }
}
