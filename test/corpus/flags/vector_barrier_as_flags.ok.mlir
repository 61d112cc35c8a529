// RUN: sluice check %s | FileCheck %s
// tilelang-ascend #1458. A pipe barrier orders two operations of one pipe.
// CHECK: {{^}}proven
sluice.kernel @scale(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %rows_of_y = sluice.dim %Y, 0 : <?x64xf16>
  %as_long = arith.cmpi eq, %rows_of_y, %rows : index
  sluice.assume %as_long, "Y has the rows of X"
  %n = arith.ceildivsi %rows, %c16 : index
  %one = arith.constant 1 : index
  %core = sluice.grid %one : index
  sluice.role "vector" core "aiv" {
    %half = sluice.subblock
    %x = sluice.alloc "x" : !sluice.buffer<16x64xf16, ub, row>
    sluice.set_flag MTE3 to MTE2[%c0]
    scf.for %t = %half to %n step %c2 {
      %row = arith.muli %t, %c16 : index
      sluice.wait_flag MTE3 to MTE2[%c0]
      sluice.load %X[%row, %c0] to %x on MTE2 : <?x64xf16>, <16x64xf16, ub, row>
      sluice.set_flag MTE2 to V[%c0]
      sluice.wait_flag MTE2 to V[%c0]
      sluice.map ins(%x : !sluice.buffer<16x64xf16, ub, row>) outs(%x
          : !sluice.buffer<16x64xf16, ub, row>) on V {
      ^bb0(%p: f16):
        %r = arith.addf %p, %p : f16
        sluice.yield %r : f16
      }
      sluice.pipe_barrier V
      sluice.map ins(%x : !sluice.buffer<16x64xf16, ub, row>) outs(%x
          : !sluice.buffer<16x64xf16, ub, row>) on V {
      ^bb0(%p: f16):
        %r = arith.addf %p, %p : f16
        sluice.yield %r : f16
      }
      sluice.set_flag V to MTE3[%c0]
      sluice.wait_flag V to MTE3[%c0]
      sluice.store %x to %Y[%row, %c0] on MTE3 : <16x64xf16, ub, row>, <?x64xf16>
      sluice.set_flag MTE3 to MTE2[%c0]
    } {sluice.name = "t", sluice.pipelined}
    sluice.wait_flag MTE3 to MTE2[%c0]
  }
}
