// RUN: not sluice check %s --set X=1 Y=16x32 | FileCheck %s
// A store at one place that is clipped further on, eight times. Runs take the whole tile.
// Expected: R26.
// CHECK: R26 {{.*}}copy of warp 0 {{.*}} writes elements of Y that copy of warp 0 {{.*}} writes, and nothing orders the two. Each lane did its own part of the first, another lane does that part of the second: put a warp sync between, or give each its own part of the tensor
sluice.kernel @clips(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out},
                     %X: !sluice.tensor<?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = sluice.dim %X, 0 : <?xf32>
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %r with 1.0 : <64x32xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %end = arith.minsi %t, %c8 : index
    %y = sluice.clip %Y, 0 to %end : <?x32xf32>
    sluice.store %r to %y[%c0, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  }
}
