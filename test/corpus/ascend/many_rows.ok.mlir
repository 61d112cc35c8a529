// RUN: sluice check %s | FileCheck %s
// Ascend C, ReduceRepeat: one call adds up 248 rows, of at most 255.
// CHECK: {{^}}proven
sluice.kernel @many_rows(
    %X: !sluice.tensor<496x64xf32> {sluice.name = "X"},
    %Y: !sluice.tensor<496x1xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c248 = arith.constant 248 : index
  %i = sluice.grid %c1 : index
  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<248x64xf32, ub, row>
    %sums = sluice.alloc "sums" : !sluice.buffer<248x1xf32, ub, row>
    %half = sluice.subblock
    %row = arith.muli %half, %c248 : index
    sluice.load %X[%row, %c0] to %x on MTE2 : <496x64xf32>, <248x64xf32, ub, row>
    sluice.pipe_barrier ALL
    sluice.reduce ins(%x : !sluice.buffer<248x64xf32, ub, row>)
        outs(%sums : !sluice.buffer<248x1xf32, ub, row>) axis 1 from [0.0] on V {
    ^bb0(%s: f32, %v: f32):
      %w = arith.addf %s, %v : f32
      sluice.yield %w : f32
    }
    sluice.pipe_barrier ALL
    sluice.store %sums to %Y[%row, %c0] on MTE3 : <248x1xf32, ub, row>, <496x1xf32>
  }
}
