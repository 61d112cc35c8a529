sluice.kernel @one_warpgroup(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %i = sluice.grid %c1 : index
  sluice.role "first" warps 0 to 1 registers 40 {
    %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row>
    sluice.fill %x with 1.0 : <32x32xf32, smem, row>
    sluice.warp_sync
    sluice.store %x to %Y[%c0, %c0] : <32x32xf32, smem, row>, <?x32xf32>
  }
  sluice.role "others" warps 4 to 12 registers 232 {
    sluice.warp_sync
  }
  sluice.role "second" warps 1 to 2 registers 40 {
    %y = sluice.alloc "y" : !sluice.buffer<32x32xf32, smem, row>
    sluice.fill %y with 2.0 : <32x32xf32, smem, row>
    sluice.warp_sync
    sluice.store %y to %Y[%c32, %c0] : <32x32xf32, smem, row>, <?x32xf32>
  }
}
