// RUN: sluice check %s | FileCheck %s
// cutlass #3597 (scratch memory of a reduction). A second barrier follows the reading.
// CHECK: {{^}}proven
sluice.kernel @rounds(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %scratch = sluice.alloc "scratch" : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
    sluice.copy %v to %scratch : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
    sluice.bar.sync 0, 128
    %columns = sluice.transpose %scratch : <64x64xf16, smem, row>
    sluice.copy %columns to %w
        : <64x64xf16, smem, row, minor 0>, <64x64xf16, reg, blocked> // rows of all warps
    sluice.bar.sync 0, 128
    sluice.store %w to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  } {sluice.name = "t", sluice.pipelined}
}
