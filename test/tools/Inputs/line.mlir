// Y = X + 1 of any tensor, as one line of numbers: lines of 512, of which a tile has four.
!lines = !sluice.tensor<?x512xf32, align 16>
sluice.kernel @next(%X: !lines {sluice.name = "X", sluice.line},
                    %Y: !lines {sluice.name = "Y", sluice.out, sluice.line})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %lines = sluice.dim %X, 0 : <?x512xf32, align 16>
  %blocks = arith.ceildivsi %lines, %c4 : index
  %cta = sluice.grid %blocks : index
  scf.for %t = %c0 to %c1 step %c1 {
    %block = arith.addi %cta, %t : index
    %line = arith.muli %block, %c4 : index
    %x = sluice.alloc "x" : !sluice.buffer<4x512xf32>
    sluice.load %X[%line, %c0] to %x : <?x512xf32, align 16>, <4x512xf32>
    %y = sluice.alloc "y" : !sluice.buffer<4x512xf32>
    sluice.map ins(%x : !sluice.buffer<4x512xf32>) outs(%y : !sluice.buffer<4x512xf32>) {
    ^bb0(%a: f32):
      %one = arith.constant 1.0 : f32
      %b = arith.addf %a, %one : f32
      sluice.yield %b : f32
    }
    sluice.store %y to %Y[%line, %c0] : <4x512xf32>, <?x512xf32, align 16>
  } {sluice.stages = 1 : i64, sluice.name = "t"}
}
