// RUN: not sluice check %s --set N=1x1 Y=64x64 | FileCheck %s
// A store comes to one place again with the other half of its tile, which other lanes hold.
// Expected: R26.
// CHECK: R26 {{.*}}copy of warp 0 {{.*}} writes elements of Y that copy of warp 0 {{.*}} writes, and nothing orders the two. Each lane did its own part of the first, another lane does that part of the second: put a warp sync between, or give each its own part of the tensor
sluice.kernel @halves(%N: !sluice.tensor<?x?xi32> {sluice.name = "N"},
                      %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %k = sluice.dim %N, 0 : <?x?xi32>
  %n = sluice.dim %N, 1 : <?x?xi32>
  %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, blocked>
  sluice.fill %r with 0.0 : <64x64xf32, reg, blocked>
  scf.for %t = %c0 to %k step %c1 {
    %h = arith.remsi %t, %c2 : index
    %o = arith.muli %h, %c32 : index
    %p = sluice.subview %r[%o, %c0] : <64x64xf32, reg, blocked> to <32x64xf32, reg, blocked>
    %q = arith.remsi %t, %n : index
    %row = arith.muli %q, %c32 : index
    sluice.store %p to %Y[%row, %c0] : <32x64xf32, reg, blocked>, <?x64xf32>
  }
}
