// Loads by threads of rows that start anywhere read the pieces around a tile too, where no launch
// writes them: not where Y may be the memory of X.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s
// CHECK: loadTile<XTile, 64, 64, 2, 128>(x[0], 0, 0,
// RUN: sed 's/, sluice.in_place = "X"//' %s > %t.mlir
// RUN: sluice emit %t.mlir | FileCheck %s --check-prefix=APART
// APART: loadTileShifted<XTile, 64, 64, 128>(x[0], 0, 0,
sluice.kernel @k(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out, sluice.in_place = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x?xf16>
  %N = sluice.dim %Y, 1 : <?x?xf16>
  %down = arith.ceildivsi %M, %c64 : index
  %across = arith.ceildivsi %N, %c64 : index
  %i, %j = sluice.grid %down, %across : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %r = sluice.alloc "r" : !sluice.buffer<64x64xf16, reg, acc>
  sluice.load %X[%row, %col] to %x : <?x?xf16>, <64x64xf16, smem, row>
  sluice.bar.sync 0, 128
  sluice.copy %x to %r : <64x64xf16, smem, row>, <64x64xf16, reg, acc>
  sluice.store %r to %Y[%row, %col] : <64x64xf16, reg, acc>, <?x?xf16>
}
