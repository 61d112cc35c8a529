// RUN: not sluice check %s --set X=64x64 Y=64x64 | FileCheck %s
// The first nine tiles lie at one place, where every lane has its own elements; from then on they
// are a row apart.
// Expected: R26.
// CHECK: R26 {{.*}}copy of warp 0 {{.*}} writes elements of Y that copy of warp 0 {{.*}} writes, and nothing orders the two. Each lane did its own part of the first, another lane does that part of the second: put a warp sync between, or give each its own part of the tensor
sluice.kernel @later(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = sluice.dim %X, 0 : <?x64xf32>
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, smem, row>
  sluice.fill %x with 0.0 : <64x64xf32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.maxsi %t, %c8 : index
    sluice.store %x to %Y[%row, %c0] : <64x64xf32, smem, row>, <?x64xf32>
  }
}
