sluice.kernel @attention_tile(%Q: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Q"}, %K: !sluice.tensor<?x?xf16, align 16> {sluice.name = "K"}, %V: !sluice.tensor<?x?xf16, align 16> {sluice.name = "V"}, %O: !sluice.tensor<?x?xf16, align 16> {sluice.name = "O", sluice.out}) {
  %c0 = arith.constant 0 : index
  %q = sluice.alloc "q" : !sluice.buffer<64x64xf16>
  sluice.load %Q[%c0, %c0] to %q : <?x?xf16, align 16>, <64x64xf16>
  %k = sluice.alloc "k" : !sluice.buffer<128x64xf16>
  sluice.load %K[%c0, %c0] to %k : <?x?xf16, align 16>, <128x64xf16>
  %v = sluice.alloc "v" : !sluice.buffer<128x64xf16>
  sluice.load %V[%c0, %c0] to %v : <?x?xf16, align 16>, <128x64xf16>
  %k.t = sluice.transpose %k : <128x64xf16>
  %s = sluice.alloc "s" : !sluice.buffer<64x128xf32>
  sluice.fill %s with 0.000000e+00 : <64x128xf32>
  sluice.mma %s, %q, %k.t : <64x128xf32>, <64x64xf16>, <64x128xf16, minor 0>
  %m = sluice.alloc "m" : !sluice.buffer<64x1xf32>
  sluice.reduce ins(%s : !sluice.buffer<64x128xf32>) outs(%m : !sluice.buffer<64x1xf32>) axis 1 from [-inf] {
  ^bb0(%state: f32, %s_0: f32):
    %0 = arith.maxnumf %state, %s_0 : f32
    sluice.yield %0 : f32
  }
  %p = sluice.alloc "p" : !sluice.buffer<64x128xf32>
  sluice.map ins(%s, %m : !sluice.buffer<64x128xf32>, !sluice.buffer<64x1xf32>) outs(%p : !sluice.buffer<64x128xf32>) {
  ^bb0(%s_0: f32, %m_1: f32):
    %0 = arith.subf %s_0, %m_1 : f32
    %cst = arith.constant 0.180336878 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = math.exp2 %1 fastmath<afn> : f32
    sluice.yield %2 : f32
  }
  %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32>
  sluice.reduce ins(%p : !sluice.buffer<64x128xf32>) outs(%sum : !sluice.buffer<64x1xf32>) axis 1 from [0.000000e+00] {
  ^bb0(%state: f32, %p_0: f32):
    %0 = arith.addf %state, %p_0 : f32
    sluice.yield %0 : f32
  }
  %p_f16 = sluice.alloc "p_f16" : !sluice.buffer<64x128xf16>
  sluice.map ins(%p : !sluice.buffer<64x128xf32>) outs(%p_f16 : !sluice.buffer<64x128xf16>) {
  ^bb0(%p_0: f32):
    %0 = arith.truncf %p_0 : f32 to f16
    sluice.yield %0 : f16
  }
  %o = sluice.alloc "o" : !sluice.buffer<64x64xf32>
  sluice.fill %o with 0.000000e+00 : <64x64xf32>
  sluice.mma %o, %p_f16, %v : <64x64xf32>, <64x128xf16>, <128x64xf16>
  %result = sluice.alloc "result" : !sluice.buffer<64x64xf16>
  sluice.map ins(%o, %sum : !sluice.buffer<64x64xf32>, !sluice.buffer<64x1xf32>) outs(%result : !sluice.buffer<64x64xf16>) {
  ^bb0(%o_0: f32, %sum_1: f32):
    %0 = arith.divf %o_0, %sum_1 fastmath<afn> : f32
    %1 = arith.truncf %0 : f32 to f16
    sluice.yield %1 : f16
  }
  sluice.store %result to %O[%c0, %c0] : <64x64xf16>, <?x?xf16, align 16>
}
