// Warps 0 and 1 fill halves of a tile, then all four store it.
sluice.kernel @two_roles(%Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32, smem, row>
  sluice.role "a" warps 0 to 1 {
    %top = sluice.subview %y[%c0, %c0] : <64x32xf32, smem, row> to <32x32xf32, smem, row>
    sluice.fill %top with 1.0 : <32x32xf32, smem, row>
  }
  sluice.role "b" warps 1 to 2 {
    %bottom = sluice.subview %y[%c32, %c0] : <64x32xf32, smem, row> to <32x32xf32, smem, row>
    sluice.fill %bottom with 2.0 : <32x32xf32, smem, row>
  }
  sluice.role "all" warps 0 to 4 {
    sluice.bar.sync 1, 128
    sluice.store %y to %Y[%c0, %c0] : <64x32xf32, smem, row>, <?x?xf32, align 16>
  }
}
