// Rows from 1000 on, copied.
sluice.kernel @behind(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1000 = arith.constant 1000 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %left = arith.subi %M, %c1000 : index
  %tiles = arith.ceildivsi %left, %c64 : index
  %i = sluice.grid %tiles : index
  %to = arith.muli %i, %c64 : index
  %from = arith.addi %to, %c1000 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%from, %c0] to %x : <?x?xf32, align 16>, <64x64xf32>
  sluice.store %x to %Y[%to, %c0] : <64x64xf32>, <?x?xf32, align 16>
}
