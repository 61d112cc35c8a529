// Two warps meet at a barrier that an extent chooses.
sluice.kernel @meet(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %id = arith.divsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, acc>
  sluice.load %X[%c0, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
  sluice.bar.sync %id, 64
  %columns = sluice.transpose %x : <64x64xf16, smem, row>
  sluice.copy %columns to %v : <64x64xf16, smem, row, minor 0>, <64x64xf16, reg, acc>
  sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, acc>, <?x64xf16>
}
