// RUN: sluice check %s | FileCheck %s
// Two roles store where the number of their warp in the CTA says.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%X: !sluice.tensor<?x32xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %rows = arith.constant 128 : index
  %N = sluice.dim %X, 0 : <?x32xf32>
  %n = arith.ceildivsi %N, %rows : index
  %i = sluice.grid %n : index
  %warp = sluice.warp
  %first = arith.muli %i, %rows : index
  %below = arith.muli %warp, %c32 : index
  %row = arith.addi %first, %below : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 4>
  %own = sluice.slot %x[%warp] : <32x32xf32, smem, row, slots 4>
  sluice.role "upper" warps 0 to 2 {
    sluice.fill %own with 1.0 by warp : <32x32xf32, smem, row>
    sluice.store %own to %Y[%row, %c0] by warp : <32x32xf32, smem, row>, <?x32xf32>
  }
  sluice.role "lower" warps 2 to 4 {
    sluice.fill %own with 2.0 by warp : <32x32xf32, smem, row>
    sluice.store %own to %Y[%row, %c0] by warp : <32x32xf32, smem, row>, <?x32xf32>
  }
}
