sluice.kernel @vector(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %V: !sluice.tensor<?x?xf32, align 16> {sluice.name = "V"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %at = sluice.grid %c1 : index
  scf.for %col = %c0 to %N step %c256 {
    %x = sluice.alloc "x" : !sluice.buffer<4x256xf32>
    sluice.load %X[%c0, %col] to %x : <?x?xf32, align 16>, <4x256xf32>
    %v = sluice.alloc "v" : !sluice.buffer<1x256xf32>
    sluice.load %V[%c0, %col] to %v {sluice.loaded_by = "bulk"} :
        <?x?xf32, align 16>, <1x256xf32>
    %y = sluice.alloc "y" : !sluice.buffer<4x256xf32>
    sluice.map ins(%x, %v : !sluice.buffer<4x256xf32>, !sluice.buffer<1x256xf32>)
        outs(%y : !sluice.buffer<4x256xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      sluice.yield %r : f32
    }
    sluice.store %y to %Y[%c0, %col] : <4x256xf32>, <?x?xf32, align 16>
  } {sluice.name = "col", sluice.stages = 4}
}
