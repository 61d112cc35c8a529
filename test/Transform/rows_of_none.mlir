// Ascend: of a tile of two rows each vector core has one. Where the tensor ends before the second
// one, that row is zeros: a sum over tiles of it is that of the rows that there are.
// RUN: %python %S/Inputs/odd_rows.py %t
// RUN: sluice check %s | FileCheck %s --implicit-check-not=rest-unused
// RUN: sed s/ascend910b/ascend950/ %s > %t/of950.mlir
// RUN: sluice check %t/of950.mlir | FileCheck %s --implicit-check-not=rest-unused
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --in X=%t/X.npy --set S=2x64 --expect S=%t/S.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice run %t/of950.mlir --in X=%t/X.npy --set S=2x64 --expect S=%t/S.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: within
sluice.kernel @sums(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %S: !sluice.tensor<2x64xf32> {sluice.name = "S", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %M = sluice.dim %X, 0 : <?x64xf32>
  %tiles = arith.ceildivsi %M, %c2 : index
  %i = sluice.grid %c1 : index
  %s = sluice.alloc "s" : !sluice.buffer<2x64xf32>
  sluice.fill %s with 0.0 : <2x64xf32>
  scf.for %t = %c0 to %tiles step %c1 {
    %row = arith.muli %t, %c2 : index
    %x = sluice.alloc "x" : !sluice.buffer<2x64xf32>
    sluice.load %X[%row, %c0] to %x : <?x64xf32>, <2x64xf32>
    sluice.map ins(%s, %x : !sluice.buffer<2x64xf32>, !sluice.buffer<2x64xf32>)
        outs(%s : !sluice.buffer<2x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %y = arith.addf %a, %b : f32
      sluice.yield %y : f32
    }
  } {sluice.stages = 2}
  sluice.store %s to %S[%c0, %c0] : <2x64xf32>, <2x64xf32>
}
