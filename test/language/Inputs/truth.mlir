// A truth value as a signed integer: 0 or -1 in MLIR, which no target computes.
sluice.kernel @truth(%X: !sluice.tensor<64x32xf32, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<64x32xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.load %X[%c0, %c0] to %x : <64x32xf32, align 16>, <64x32xf32, reg, acc>
  sluice.map ins(%x : !sluice.buffer<64x32xf32, reg, acc>)
      outs(%x : !sluice.buffer<64x32xf32, reg, acc>) {
  ^bb0(%e: f32):
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %e, %zero : f32
    %wide = arith.extsi %positive : i1 to i32
    %sum = arith.sitofp %wide : i32 to f32
    sluice.yield %sum : f32
  }
  sluice.store %x to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32, align 16>
}
