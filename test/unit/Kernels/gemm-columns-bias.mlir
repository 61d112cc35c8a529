sluice.kernel @gemm(%A: !sluice.tensor<?x?xbf16, minor 0, align 8> {sluice.name = "A"}, %B: !sluice.tensor<?x?xbf16, minor 0, align 2> {sluice.name = "B"}, %bias: !sluice.tensor<?x?xf32, align 16> {sluice.name = "bias"}, %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) {
  %C.dim0 = sluice.dim %C, 0 : <?x?xf32, align 16>
  %c128 = arith.constant 128 : index
  %C.dim1 = sluice.dim %C, 1 : <?x?xf32, align 16>
  %A.dim1 = sluice.dim %A, 1 : <?x?xbf16, minor 0, align 8>
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.ceildivsi %C.dim0, %c128 : index
  %1 = arith.ceildivsi %C.dim1, %c128 : index
  %i, %j = sluice.grid %0, %1 : index, index
  %2 = arith.muli %i, %c128 : index
  %3 = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.000000e+00 : <128x128xf32>
  %4 = arith.ceildivsi %A.dim1, %c64 : index
  scf.for %arg0 = %c0 to %4 step %c1 {
    %5 = arith.muli %arg0, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, minor 0>
    sluice.load %A[%2, %5] to %a : <?x?xbf16, minor 0, align 8>, <128x64xbf16, minor 0>
    %6 = arith.muli %arg0, %c64 : index
    %b = sluice.alloc "b" : !sluice.buffer<64x128xbf16, minor 0>
    sluice.load %B[%6, %3] to %b : <?x?xbf16, minor 0, align 2>, <64x128xbf16, minor 0>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xbf16, minor 0>, <64x128xbf16, minor 0>
  } {sluice.name = "k", sluice.stages = 4 : i64}
  %bias_0 = sluice.alloc "bias" : !sluice.buffer<1x128xf32>
  sluice.load %bias[%c0, %3] to %bias_0 : <?x?xf32, align 16>, <1x128xf32>
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf32>
  sluice.map ins(%acc, %bias_0 : !sluice.buffer<128x128xf32>, !sluice.buffer<1x128xf32>) outs(%c : !sluice.buffer<128x128xf32>) {
  ^bb0(%acc_1: f32, %bias_2: f32):
    %5 = arith.addf %acc_1, %bias_2 : f32
    %cst = arith.constant 0.707106769 : f32
    %6 = arith.mulf %5, %cst : f32
    %7 = math.erf %6 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %8 = arith.addf %cst_3, %7 : f32
    %cst_4 = arith.constant 5.000000e-01 : f32
    %9 = arith.mulf %cst_4, %5 : f32
    %10 = arith.mulf %9, %8 : f32
    sluice.yield %10 : f32
  }
  sluice.store %c to %C[%2, %3] : <128x128xf32>, <?x?xf32, align 16>
}
