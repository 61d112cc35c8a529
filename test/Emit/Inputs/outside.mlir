sluice.kernel @outside(%X: !sluice.tensor<64x64xf16> {sluice.name = "X"},
                       %Y: !sluice.tensor<64x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %f = sluice.alloc "f" : !sluice.buffer<64x64xf16, reg, acc>
  sluice.role "all" warps 0 to 4 {
    sluice.load %X[%c0, %c0] to %f : <64x64xf16>, <64x64xf16, reg, acc>
    sluice.store %f to %Y[%c0, %c0] : <64x64xf16, reg, acc>, <64x64xf16>
  }
}
