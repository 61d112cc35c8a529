// RUN: not sluice check %s --set X=1 Y=16x32 | FileCheck %s
// Every eighth step stores the tile that it has loaded. The tile of two steps back overlaps it, and
// the lanes that have loaded it meet no warp_sync on the way.
// Expected: R26.
// CHECK: R26 {{.*}}copy of warp 0 {{.*}} writes elements of Y that copy of warp 0 {{.*}} reads, and nothing orders the two. Each lane did its own part of the first, another lane does that part of the second: put a warp sync between, or give each its own part of the tensor
sluice.kernel @k(%X: !sluice.tensor<?xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c1024 = arith.constant 1024 : index
  %n = sluice.dim %X, 0 : <?xf32>
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %half = arith.divsi %t, %c2 : index
    %side = arith.remsi %t, %c2 : index
    %far = arith.muli %side, %c1024 : index
    %near = arith.muli %half, %c4 : index
    %row = arith.addi %far, %near : index
    sluice.load %Y[%row, %c0] to %r : <?x32xf32>, <64x32xf32, reg, acc>
    %eighth = arith.remsi %t, %c8 : index
    %stores = arith.cmpi eq, %eighth, %c7 : index
    scf.if %stores {
      sluice.store %r to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
      sluice.warp_sync
    }
  }
}
