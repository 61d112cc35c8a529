// RUN: sluice check %s --set A=1x1 U=64 Y=65536x32 | FileCheck %s
// Two roles store in one iteration; the place of one has a remainder in it that the other never comes to.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %U: !sluice.tensor<?xi32> {sluice.name = "U"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %far = arith.constant 800 : index
  %stride = arith.constant 1024 : index
  %mod = arith.constant 23 : index
  %N = sluice.dim %U, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %empty count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %x with 1.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.remsi %t, %c2 : index
      %o = arith.xori %p, %c1 : index
      sluice.mbarrier.wait %empty[%c0], %o : <1>
      %r0 = arith.muli %t, %stride : index
      %m = arith.remsi %t, %mod : index
      %m32 = arith.muli %m, %c32 : index
      %r = arith.addi %r0, %m32 : index
      sluice.store %x to %Y[%r, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%c0] by one : <1>
    }
  }
  sluice.role "b" warps 1 to 2 {
    %y = sluice.alloc "y" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %y with 1.0 : <32x32xf32, reg, blocked>
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.remsi %t, %c2 : index
      %t1 = arith.addi %t, %c1 : index
      %more = arith.cmpi slt, %t1, %N : index
      scf.if %more {
        sluice.mbarrier.wait %full[%c0], %p : <1>
      }
      %l = sluice.scalar_load %U[%t] : <?xi32>
      %len = sluice.uniform %l : index
      %long = arith.cmpi sgt, %len, %c2 : index
      scf.if %long {
        sluice.warp_sync
      }
      %r0 = arith.muli %t, %stride : index
      %r = arith.addi %r0, %far : index
      sluice.store %y to %Y[%r, %c0] : <32x32xf32, reg, blocked>, <?x32xf32>
      sluice.warp_sync
      scf.if %more {
        sluice.mbarrier.arrive %empty[%c0] by one : <1>
      }
    }
  }
}
