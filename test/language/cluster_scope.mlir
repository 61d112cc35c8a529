// The CTAs of a pair hand a tile on through global memory, by ordinary stores: the arrive and the
// wait that join them need cluster scope.
// RUN: sluice check %s --set T=32x64 | FileCheck %s
// RUN: sluice run %s --set T=32x64 --device sim --out T=%t.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// RUN: sed 's/ scope cluster by one/ by one/' %s > %t.mlir
// RUN: not sluice check %t.mlir --set T=32x64 2>&1 | FileCheck %s --check-prefix=NARROW
// CHECK: proven:
// CUDA: mbarrierArriveRemote<Scope::cluster>(written[0], 1);
// CUDA: mbarrierWait<Scope::cluster>(written[0], 0);
// NARROW: R36
// NARROW-SAME: copy of all warp 0 of CTA (1)
// NARROW-SAME: reads elements of T that copy of all warp 0 of CTA (0)
sluice.kernel @pair(%T: !sluice.tensor<?x?xf32> {sluice.name = "T", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = sluice.grid %c2 : index
  %written = sluice.mbarrier.alloc "written" : !sluice.mbarrier<1>
  %rank = sluice.cluster.rank
  sluice.mbarrier.init %written count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive relaxed
  sluice.cluster.wait
  sluice.role "all" warps 0 to 4 {
    %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
    %first = arith.cmpi eq, %rank, %c0 : index
    scf.if %first {
      sluice.fill %t with 2.0 : <64x32xf32, reg, acc>
      sluice.store %t to %T[%c0, %c0] : <64x32xf32, reg, acc>, <?x?xf32>
      sluice.bar.sync 1, 128
      sluice.mbarrier.arrive %written[%c0] rank %c1 scope cluster by one : <1>
    } else {
      sluice.mbarrier.wait %written[%c0], %c0 scope cluster : <1>
      sluice.load %T[%c0, %c0] to %t : <?x?xf32>, <64x32xf32, reg, acc>
    }
  }
}
