// Y = 2 X, of which the author assumes two things; the second stands behind the grid.
sluice.kernel @twice(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out},
                     %part: index {sluice.name = "part"}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %M = sluice.dim %Y, 0 : <?x64xf32>
  %same = arith.cmpi eq, %rows, %M : index
  sluice.assume %same, "X and Y have the same rows"
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm {persistent} : index
  %rest = arith.remsi %M, %part : index
  %whole = arith.cmpi eq, %rest, %c0 : index
  sluice.assume %whole, "rows come in \"parts\""
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %x : <?x64xf32>, <64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) {
  ^bb0(%e: f32):
    %twice = arith.addf %e, %e : f32
    sluice.yield %twice : f32
  }
  sluice.store %y to %Y[%row, %c0] : <64x64xf32>, <?x64xf32>
}
