// RUN: not sluice check %s --set N=2 Y=64x32 s=4 | FileCheck %s
// The same leaves a tile.
// Expected: R24.
// CHECK: R24 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out}, %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %w = sluice.warp
  %isz = arith.cmpi eq, %w, %c0 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
  sluice.fill %x with 0.0 : <32x32xf32, smem, row>
  sluice.bar.sync 0, 64
  %p = arith.cmpi eq, %s, %c16 : index
  scf.if %p {
    scf.for %t = %c0 to %c64 step %s {
      %xs = sluice.subview %x[%t, %c0] : <32x32xf32, smem, row> to <16x32xf32, smem, row>
      sluice.store %xs to %Y[%t, %c0] : <16x32xf32, smem, row>, <?x32xf32>
    }
  }
}
