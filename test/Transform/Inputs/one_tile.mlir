// The first `end[0]` rows of C, tile by tile; CTAs behind them store nothing.
sluice.kernel @rows(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %end: !sluice.tensor<1xi32> {sluice.name = "end"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %C, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %rows = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c128 : index
  %last = sluice.scalar_load %end[%c0] : <1xi32>
  %here = arith.cmpi slt, %row, %last : index
  %deep = arith.ceildivsi %K, %c64 : index
  %steps = arith.select %here, %deep, %c0 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32>
  sluice.fill %acc with 0.0 : <128x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <128x64xf32>, <128x64xf16>, <64x64xf16>
  } {sluice.stages = 2, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<128x64xf16>
  sluice.copy %acc to %c : <128x64xf32>, <128x64xf16>
  %own = sluice.clip %C, 0 to %last : <?x?xf16, align 16>
  sluice.store %c to %own[%row, %c0] : <128x64xf16>, <?x?xf16, align 16>
}
