// RUN: sluice check %s | FileCheck %s
// The number of a warp in its role is another one than that in the CTA, which stands in front.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%Y: !sluice.tensor<256x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %i = sluice.grid %c1 : index
  %warp = sluice.warp
  %row = arith.muli %warp, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 4>
  sluice.role "last" warps 4 to 8 {
    %number = sluice.warp
    %own = sluice.slot %x[%number] : <32x32xf32, smem, row, slots 4>
    sluice.fill %own with 1.0 by warp : <32x32xf32, smem, row>
    sluice.store %own to %Y[%row, %c0] by warp : <32x32xf32, smem, row>, <256x32xf32>
  }
}
