sluice.kernel @qk(%Q: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Q"}, %K: !sluice.tensor<?x?xf16, align 16> {sluice.name = "K"}, %S: !sluice.tensor<?x?xf16, align 16> {sluice.name = "S", sluice.out}) {
  %c0 = arith.constant 0 : index
  %K.dim0 = sluice.dim %K, 0 : <?x?xf16, align 16>
  %c128 = arith.constant 128 : index
  %c1 = arith.constant 1 : index
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16>
  sluice.load %Q[%c0, %c0] to %q : <?x?xf16, align 16>, <128x128xf16>
  sluice.epoch
  %0 = arith.ceildivsi %K.dim0, %c128 : index
  scf.for %arg0 = %c0 to %0 step %c1 {
    %1 = arith.muli %arg0, %c128 : index
    %k = sluice.alloc "k" : !sluice.buffer<128x128xf16>
    sluice.load %K[%1, %c0] to %k : <?x?xf16, align 16>, <128x128xf16>
    %k.t = sluice.transpose %k : <128x128xf16>
    %s = sluice.alloc "s" : !sluice.buffer<128x128xf32>
    sluice.fill %s with 0.000000e+00 : <128x128xf32>
    sluice.mma %s, %q, %k.t : <128x128xf32>, <128x128xf16>, <128x128xf16, minor 0>
    %2 = arith.muli %arg0, %c128 : index
    %s_f16 = sluice.alloc "s_f16" : !sluice.buffer<128x128xf16>
    sluice.map ins(%s : !sluice.buffer<128x128xf32>) outs(%s_f16 : !sluice.buffer<128x128xf16>) {
    ^bb0(%s_0: f32):
      %3 = arith.truncf %s_0 : f32 to f16
      sluice.yield %3 : f16
    }
    sluice.store %s_f16 to %S[%2, %c0] : <128x128xf16>, <?x?xf16, align 16>
  } {sluice.name = "i", sluice.slots = {l0b = 2 : i64, l0c = 2 : i64, l1 = 1 : i64}}
}
