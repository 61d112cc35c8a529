// RUN: sluice check %s | FileCheck %s
// tilelang-ascend #1237 (ids of the two sides of a ping-pong). Each slot has an id of its own.
// CHECK: {{^}}proven
sluice.kernel @scale(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %rows_of_y = sluice.dim %Y, 0 : <?x64xf16>
  %as_long = arith.cmpi eq, %rows_of_y, %rows : index
  sluice.assume %as_long, "Y has the rows of X"
  %n = arith.ceildivsi %rows, %c16 : index
  %one = arith.constant 1 : index
  %core = sluice.grid %one : index
  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<16x64xf16, ub, row, slots 2>
    %x0 = sluice.slot %x[%c0] : <16x64xf16, ub, row, slots 2>
    %x1 = sluice.slot %x[%c1] : <16x64xf16, ub, row, slots 2>
    sluice.set_flag MTE3 to MTE2[%c0]
    sluice.set_flag MTE3 to MTE2[%c1]
    %first = sluice.subblock
    %begin = arith.muli %first, %c2 : index
    scf.for %t = %begin to %n step %c4 {
      %row = arith.muli %t, %c16 : index
      %below = arith.addi %row, %c16 : index
      sluice.wait_flag MTE3 to MTE2[%c0]
      sluice.load %X[%row, %c0] to %x0 on MTE2 : <?x64xf16>, <16x64xf16, ub, row>
      sluice.set_flag MTE2 to MTE3[%c0]
      sluice.wait_flag MTE3 to MTE2[%c1]
      sluice.load %X[%below, %c0] to %x1 on MTE2 : <?x64xf16>, <16x64xf16, ub, row>
      sluice.set_flag MTE2 to MTE3[%c1]
      sluice.wait_flag MTE2 to MTE3[%c0]
      sluice.store %x0 to %Y[%row, %c0] on MTE3 : <16x64xf16, ub, row>, <?x64xf16>
      sluice.set_flag MTE3 to MTE2[%c0]
      sluice.wait_flag MTE2 to MTE3[%c1]
      sluice.store %x1 to %Y[%below, %c0] on MTE3 : <16x64xf16, ub, row>, <?x64xf16>
      sluice.set_flag MTE3 to MTE2[%c1]
    } {sluice.name = "t", sluice.pipelined}
    sluice.wait_flag MTE3 to MTE2[%c0]
    sluice.wait_flag MTE3 to MTE2[%c1]
  }
}
