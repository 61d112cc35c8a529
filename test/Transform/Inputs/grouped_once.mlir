sluice.kernel @k(%x: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %i, %j = sluice.grid %c4, %c4 {group = 2 : i64} : index, index
  %r = arith.muli %i, %c64 : index
  %c = arith.muli %j, %c64 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf32>
  sluice.load %x[%r, %c] to %t : <?x?xf32, align 16>, <64x64xf32>
  sluice.store %t to %y[%r, %c] : <64x64xf32>, <?x?xf32, align 16>
}
