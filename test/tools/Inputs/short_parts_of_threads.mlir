// Y = X: the parts of a row are lines of a tile in the layout of accumulators.
!rows = !sluice.tensor<?x64x8xf16, rows 1>
sluice.kernel @squares(%X: !rows {sluice.name = "X", sluice.joined = 1 : i64,
                                  sluice.joined_extent = 500 : i64},
                       %Y: !sluice.tensor<?x64x8xf16, rows 1> {sluice.name = "Y", sluice.out,
                                  sluice.joined = 1 : i64})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %rows = sluice.dim %X, 0 : <?x64x8xf16, rows 1>
  %row = sluice.grid %rows : index
  %x = sluice.alloc "x" : !sluice.buffer<64x8xf16>
  sluice.load %X[%row, %c0, %c0] to %x : <?x64x8xf16, rows 1>, <64x8xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x8xf16>
  sluice.map ins(%x : !sluice.buffer<64x8xf16>) outs(%y : !sluice.buffer<64x8xf16>) {
  ^bb0(%a: f16):
    sluice.yield %a : f16
  }
  sluice.store %y to %Y[%row, %c0, %c0] : <64x8xf16>, <?x64x8xf16, rows 1>
}
