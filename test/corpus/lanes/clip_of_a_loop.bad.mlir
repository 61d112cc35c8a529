// RUN: not sluice check %s --set Y=1x32 | FileCheck %s
// Two stores at one place, of which the second is clipped further on: a loop of four rounds says
// where. Runs take the whole tile.
// Expected: R26.
// CHECK: R26 {{.*}}copy of warp 0 {{.*}} writes elements of Y that copy of warp 0 {{.*}} writes, and nothing orders the two. Each lane did its own part of the first, another lane does that part of the second: put a warp sync between, or give each its own part of the tensor
sluice.kernel @clips(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %r with 1.0 : <64x32xf32, reg, acc>
  scf.for %t = %c0 to %c2 step %c1 {
    %start = arith.muli %t, %c4 : index
    %end = scf.for %u = %c0 to %c4 step %c1 iter_args(%e = %start) -> index {
      %more = arith.addi %e, %c2 : index
      scf.yield %more : index
    }
    %y = sluice.clip %Y, 0 to %end : <?x32xf32>
    sluice.store %r to %y[%c0, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  }
}
