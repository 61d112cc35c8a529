// The same as it is written here: what is loaded, computed and stored, and how many tiles are on
// their way. The barriers, a role that loads and the bytes of each stage are derived.
sluice.kernel @two_tensors(%X: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "X"},
                           %Z: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "Z"},
                           %Y: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %sms = arith.constant 132 : index
  %rows = sluice.dim %X, 0 : <?x1024xf32, align 16>
  %tiles = arith.ceildivsi %rows, %c4 : index
  %cta = sluice.grid %sms : index
  scf.for %t = %cta to %tiles step %sms {
    %row = arith.muli %t, %c4 : index
    %x = sluice.alloc "x" : !sluice.buffer<4x1024xf32>
    %z = sluice.alloc "z" : !sluice.buffer<4x1024xf32>
    %y = sluice.alloc "y" : !sluice.buffer<4x1024xf32>
    sluice.load %X[%row, %c0] to %x : <?x1024xf32, align 16>, <4x1024xf32>
    sluice.load %Z[%row, %c0] to %z : <?x1024xf32, align 16>, <4x1024xf32>
    sluice.map ins(%x, %z : !sluice.buffer<4x1024xf32>, !sluice.buffer<4x1024xf32>)
        outs(%y : !sluice.buffer<4x1024xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      sluice.yield %s : f32
    }
    sluice.store %y to %Y[%row, %c0] : <4x1024xf32>, <?x1024xf32, align 16>
  } {sluice.name = "t", sluice.stages = 4}
}
