// A product over the blocks of K that the integers of T name. PAGES: both operands by T, one of them
// for each step. FROM: all steps behind the first of them. WRONG: B stays where the first step was.
sluice.kernel @gathered(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                        %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                        %T: !sluice.tensor<?xi32> {sluice.name = "T"},
                        %C: !sluice.tensor<?x?xf16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %steps = sluice.dim %T, 0 : <?xi32>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  %from = sluice.scalar_load %T[%c0] : <?xi32> // FROM
  scf.for %t = %c0 to %steps step %c1 {
    %at = sluice.scalar_load %T[%t] : <?xi32> // PAGES
    %at = arith.addi %from, %t : index // FROM
    %k = arith.muli %at, %c64 : index
    %kb = arith.muli %at, %c64 : index // RIGHT
    %kb = arith.muli %from, %c64 : index // WRONG
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %B[%kb, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 3, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.map ins(%acc : !sluice.buffer<128x128xf32>) outs(%c : !sluice.buffer<128x128xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] : <128x128xf16>, <?x?xf16>
}
