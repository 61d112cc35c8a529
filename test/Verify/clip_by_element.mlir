// Stores at one place that are clipped where an element says, of each step another one: other lanes
// may have what is left of the tile, so that a warp_sync lies between.
// RUN: not sluice check %s | FileCheck %s
// RUN: sed 's/^    sluice.store .*/&\n    sluice.warp_sync/' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s --check-prefix=SYNC
// CHECK: proven: this launch
// CHECK: every launch: copy at {{.*}} writes elements of Y that copy at {{.*}} writes in another iteration, as far as their places tell, and nothing orders the two
// SYNC: proven: every launch
sluice.kernel @clips(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out},
                     %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %r with 1.0 : <64x32xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %end = sluice.scalar_load %L[%t] : <?xi32>
    %y = sluice.clip %Y, 0 to %end : <?x32xf32>
    sluice.store %r to %y[%c0, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  }
}
