sluice.kernel @gemm(%A: !sluice.tensor<?x?xbf16, minor 0, align 8> {sluice.name = "A"}, %B: !sluice.tensor<?x?xbf16, minor 0, align 2> {sluice.name = "B"}, %bias: !sluice.tensor<?x?xf32, align 16> {sluice.name = "bias"}, %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) {
  %M = sluice.dim %C, 0 : <?x?xf32, align 16>
  %N = sluice.dim %C, 1 : <?x?xf32, align 16>
  %K = sluice.dim %A, 1 : <?x?xbf16, minor 0, align 8>
  %c128 = arith.constant 128 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.ceildivsi %M, %c128 : index
  %cols = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %rows, %cols : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.000000e+00 : <128x128xf32>
  %0 = arith.ceildivsi %K, %c64 : index
  scf.for %arg0 = %c0 to %0 step %c1 {
    %depth = arith.muli %arg0, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, minor 0>
    sluice.load %A[%row, %depth] to %a : <?x?xbf16, minor 0, align 8>, <128x64xbf16, minor 0>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xbf16, minor 0>
    sluice.load %B[%depth, %col] to %b : <?x?xbf16, minor 0, align 2>, <64x128xbf16, minor 0>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xbf16, minor 0>, <64x128xbf16, minor 0>
  } {sluice.name = "k", sluice.stages = 4 : i64}
  %bias_0 = sluice.alloc "bias" : !sluice.buffer<1x128xf32>
  sluice.load %bias[%c0, %col] to %bias_0 : <?x?xf32, align 16>, <1x128xf32>
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf32>
  sluice.map ins(%acc, %bias_0 : !sluice.buffer<128x128xf32>, !sluice.buffer<1x128xf32>) outs(%c : !sluice.buffer<128x128xf32>) {
  ^bb0(%acc_1: f32, %bias_2: f32):
    %1 = arith.addf %acc_1, %bias_2 : f32
    %cst = arith.constant 0.707106769 : f32
    %2 = arith.mulf %1, %cst fastmath<contract> : f32
    %3 = math.erf %2 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %4 = arith.addf %cst_3, %3 : f32
    %cst_4 = arith.constant 5.000000e-01 : f32
    %5 = arith.mulf %cst_4, %1 fastmath<contract> : f32
    %6 = arith.mulf %5, %4 fastmath<contract> : f32
    sluice.yield %6 : f32
  }
  sluice.store %c to %C[%row, %col] : <128x128xf32>, <?x?xf32, align 16>
}
