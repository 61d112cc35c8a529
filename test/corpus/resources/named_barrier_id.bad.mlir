// RUN: not sluice check %s 2>&1 | FileCheck %s
// cutlass #2672, TransformerEngine #2554. An id of the user's is moved up by the eight that the
// library keeps for itself, past the last one.
// Refused when the text is read.

// CHECK: error: {{.*}}id 18 is outside 0 .. 15
sluice.kernel @stage(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
    sluice.bar.sync 18, 128 // 10 + 8
    %columns = sluice.transpose %x : <64x64xf16, smem, row>
    sluice.copy %columns to %v : <64x64xf16, smem, row, minor 0>, <64x64xf16, reg, blocked>
    sluice.bar.sync 0, 128
    sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  } {sluice.name = "t", sluice.pipelined}
}
