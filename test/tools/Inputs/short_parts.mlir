// Y = X: rows of 1000 columns, of which each line of a tile has 256, and the last one 232.
!rows = !sluice.tensor<?x4x256xf32, rows 1, align 16>
sluice.kernel @quarters(%X: !rows {sluice.name = "X", sluice.joined = 1 : i64,
                                   sluice.joined_extent = 1000 : i64},
                        %Y: !rows {sluice.name = "Y", sluice.out, sluice.joined = 1 : i64,
                                   sluice.joined_extent = 1000 : i64})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = sluice.dim %X, 0 : <?x4x256xf32, rows 1, align 16>
  %cta = sluice.grid %c1 : index
  scf.for %row = %c0 to %rows step %c1 {
    %x = sluice.alloc "x" : !sluice.buffer<4x256xf32>
    sluice.load %X[%row, %c0, %c0] to %x : <?x4x256xf32, rows 1, align 16>, <4x256xf32>
    %y = sluice.alloc "y" : !sluice.buffer<4x256xf32>
    sluice.map ins(%x : !sluice.buffer<4x256xf32>) outs(%y : !sluice.buffer<4x256xf32>) {
    ^bb0(%a: f32):
      sluice.yield %a : f32
    }
    sluice.store %y to %Y[%row, %c0, %c0] : <4x256xf32>, <?x4x256xf32, rows 1, align 16>
  } {sluice.stages = 2 : i64, sluice.name = "t"}
}
