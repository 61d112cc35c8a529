sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"}, %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out}) {
  %M = sluice.dim %C, 0 : <?x?xf16, align 16>
  %N = sluice.dim %C, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.ceildivsi %M, %c128 : index
  %cols = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %rows, %cols : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.000000e+00 : <128x128xf32>
  %0 = arith.ceildivsi %K, %c256 : index
  scf.for %arg0 = %c0 to %0 step %c1 {
    %depth = arith.muli %arg0, %c256 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x256xf16>
    sluice.load %A[%row, %depth] to %a : <?x?xf16, align 16>, <128x256xf16>
    %b = sluice.alloc "b" : !sluice.buffer<256x128xf16>
    sluice.load %B[%depth, %col] to %b : <?x?xf16, align 16>, <256x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x256xf16>, <256x128xf16>
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.map ins(%acc : !sluice.buffer<128x128xf32>) outs(%c : !sluice.buffer<128x128xf16>) {
  ^bb0(%acc_0: f32):
    %1 = arith.truncf %acc_0 : f32 to f16
    sluice.yield %1 : f16
  }
  sluice.store %c to %C[%row, %col] : <128x128xf16>, <?x?xf16, align 16>
}
