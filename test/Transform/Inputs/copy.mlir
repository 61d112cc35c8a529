sluice.kernel @copy(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %D: !sluice.tensor<?x?xf16, align 16> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.store %a to %D[%row, %k] : <64x64xf16>, <?x?xf16, align 16>
  }
}
