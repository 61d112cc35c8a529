// Where no tile is brought in for others, there is no role that loads.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CHECK: {{^}}proven: every launch
// CUDA: // 128 threads
// CUDA: // Roles: mma (warps 0..3).
sluice.kernel @ones(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = sluice.dim %Y, 0 : <?x?xf32>
  %gm = arith.ceildivsi %m, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32>
  sluice.fill %y with 1.0 : <64x32xf32>
  sluice.store %y to %Y[%row, %c0] : <64x32xf32>, <?x?xf32>
}
