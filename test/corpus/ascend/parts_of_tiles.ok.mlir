// RUN: sluice check %s | FileCheck %s
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// Ascend, one vector kernel: instructions of parts of tiles, each from where its part begins.
// CHECK: {{^}}proven
// TEXT: Cast(y, x, RoundMode::CAST_NONE, 1024);
// TEXT: Cast(y[1024], x[1024], RoundMode::CAST_NONE, 1024);
// TEXT: Adds(y[1024], y[1024], 1.5f, 1024);
// TEXT: Duplicate(y[512], 3.0f, 512);
sluice.kernel @parts_of_tiles(%X: !sluice.tensor<64x64xf16> {sluice.name = "X"},
                              %Y: !sluice.tensor<64x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %i = sluice.grid %c1 : index
  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<32x64xf16, ub, row>
    %y = sluice.alloc "y" : !sluice.buffer<32x64xf32, ub, row>
    %half = sluice.subblock
    %row = arith.muli %half, %c32 : index
    %x0 = sluice.subview %x[%c0, %c0] : <32x64xf16, ub, row> to <16x64xf16, ub, row>
    %x1 = sluice.subview %x[%c16, %c0] : <32x64xf16, ub, row> to <16x64xf16, ub, row>
    %y0 = sluice.subview %y[%c0, %c0] : <32x64xf32, ub, row> to <16x64xf32, ub, row>
    %y1 = sluice.subview %y[%c16, %c0] : <32x64xf32, ub, row> to <16x64xf32, ub, row>
    %three = sluice.subview %y[%c8, %c0] : <32x64xf32, ub, row> to <8x64xf32, ub, row>
    sluice.load %X[%row, %c0] to %x on MTE2 : <64x64xf16>, <32x64xf16, ub, row>
    sluice.pipe_barrier ALL
    sluice.map ins(%x0 : !sluice.buffer<16x64xf16, ub, row>)
        outs(%y0 : !sluice.buffer<16x64xf32, ub, row>) on V {
    ^bb0(%e: f16):
      %w = arith.extf %e : f16 to f32
      sluice.yield %w : f32
    }
    sluice.map ins(%x1 : !sluice.buffer<16x64xf16, ub, row>)
        outs(%y1 : !sluice.buffer<16x64xf32, ub, row>) on V {
    ^bb0(%e: f16):
      %w = arith.extf %e : f16 to f32
      sluice.yield %w : f32
    }
    sluice.pipe_barrier V
    sluice.map ins(%y1 : !sluice.buffer<16x64xf32, ub, row>)
        outs(%y1 : !sluice.buffer<16x64xf32, ub, row>) on V {
    ^bb0(%e: f32):
      %more = arith.constant 1.5 : f32
      %w = arith.addf %e, %more : f32
      sluice.yield %w : f32
    }
    sluice.fill %three with 3.0 on V : <8x64xf32, ub, row>
    sluice.pipe_barrier ALL
    sluice.store %y to %Y[%row, %c0] on MTE3 : <32x64xf32, ub, row>, <64x64xf32>
  }
}
