// RUN: not sluice check %s | FileCheck %s
// Two roles begin at an extent that one of them compares with a number first; both touch the same
// tiles in no order.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %m = arith.ceildivsi %M, %c32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "r0" warps 0 to 1 {
    %r0 = sluice.alloc "r0" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r0 with 1.0 : <32x32xf32, reg, blocked>
    %k0 = arith.constant 1 : index
    scf.for %i1 = %m to %n step %k0 {
      %v2 = arith.muli %i1, %c32 : index
      sluice.store %r0 to %Y[%c0, %v2] : <32x32xf32, reg, blocked>, <?x?xf32>
    }
  }
  sluice.role "r1" warps 1 to 2 {
    %r1 = sluice.alloc "r1" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r1 with 1.0 : <32x32xf32, reg, blocked>
    %k3 = arith.constant 2 : index
    %v4 = arith.cmpi eq, %m, %k3 : index
    scf.if %v4 {
      sluice.warp_sync
    }
    %k5 = arith.constant 1 : index
    scf.for %i6 = %m to %n step %k5 {
      %k7 = arith.constant 2 : index
      %v8 = arith.cmpi eq, %m, %k7 : index
      scf.if %v8 {
        %k9 = arith.constant 0 : index
        %v10 = arith.cmpi sgt, %i6, %k9 : index
        scf.if %v10 {
          %v11 = arith.muli %i6, %c32 : index
          sluice.load %Y[%c0, %v11] to %r1 : <?x?xf32>, <32x32xf32, reg, blocked>
        }
      }
    }
  }
}
