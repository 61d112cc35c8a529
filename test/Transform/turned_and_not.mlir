// RUN: sluice check %s --target ascend910b | FileCheck %s --check-prefix=PROVEN
// PROVEN: {{^}}proven: every launch
// RUN: sluice emit %s --target ascend910b | FileCheck %s --check-prefix=TEXT
// A tile of f32 that one product takes turned and the other as it lies: G = X^T X, H = X X^T for
// each 64 rows of X. It lies in L1 strip by strip.
// TEXT: loadTile<64, 64, 16>(x[
// TEXT-COUNT-2: loadSquares<
// TEXT: loadFractals<{{[0-9]+, [0-9]+}}, 8, 1, false>(
sluice.kernel @turned_and_not(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                              %H: !sluice.tensor<?x64xf32> {sluice.name = "H", sluice.out},
                              %G: !sluice.tensor<?x64xf32> {sluice.name = "G", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %c1 : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
    sluice.load %X[%row, %c0] to %x : <?x64xf32>, <64x64xf32>
    %x_t = sluice.transpose %x : <64x64xf32>
    %g = sluice.alloc "g" : !sluice.buffer<64x64xf32>
    sluice.fill %g with 0.000000e+00 : <64x64xf32>
    sluice.mma %g, %x_t, %x : <64x64xf32>, <64x64xf32, minor 0>, <64x64xf32>
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf32>
    sluice.fill %h with 0.000000e+00 : <64x64xf32>
    sluice.mma %h, %x, %x_t : <64x64xf32>, <64x64xf32>, <64x64xf32, minor 0>
    sluice.store %g to %G[%row, %c0] : <64x64xf32>, <?x64xf32>
    sluice.store %h to %H[%row, %c0] : <64x64xf32>, <?x64xf32>
  } {sluice.name = "k", sluice.stages = 2 : i64}
}
