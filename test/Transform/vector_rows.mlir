// Ascend: rows of a tile are folded 248 at a time, since a call takes at most 255 (R50).
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s
// CHECK: ReduceRepeat<ReduceType::SUM>(total, {{.*}}, 16, 248,
// CHECK: ReduceRepeat<ReduceType::SUM>(total[248], {{.*}}, 16, 248,
// CHECK: ReduceRepeat<ReduceType::SUM>(total[496], {{.*}}, 16, 104,
//
// The numbers are those of tiles that one call folds.
// RUN: sed 's/1200/120/g' %s > %t.small.mlir
// RUN: sluice run %t.small.mlir --random 3 --set X=1300x16 Y=1300x16 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=1300x16 Y=1300x16 --expect Y=%t.npy --chaos 20
sluice.kernel @less_sum(%X: !sluice.tensor<?x16xf32> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x16xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %tall = arith.constant 1200 : index
  %M = sluice.dim %X, 0 : <?x16xf32>
  %tiles = arith.ceildivsi %M, %tall : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %tall : index
  %x = sluice.alloc "x" : !sluice.buffer<1200x16xf32>
  sluice.load %X[%row, %c0] to %x : <?x16xf32>, <1200x16xf32>
  %total = sluice.alloc "total" : !sluice.buffer<1200x1xf32>
  sluice.reduce ins(%x : !sluice.buffer<1200x16xf32>) outs(%total : !sluice.buffer<1200x1xf32>)
      axis 1 from [0.0] {
  ^bb0(%s: f32, %e: f32):
    %z = arith.addf %s, %e : f32
    sluice.yield %z : f32
  }
  %y = sluice.alloc "y" : !sluice.buffer<1200x16xf32>
  sluice.map ins(%x, %total : !sluice.buffer<1200x16xf32>, !sluice.buffer<1200x1xf32>)
      outs(%y : !sluice.buffer<1200x16xf32>) {
  ^bb0(%e: f32, %s: f32):
    %z = arith.subf %e, %s : f32
    sluice.yield %z : f32
  }
  sluice.store %y to %Y[%row, %c0] : <1200x16xf32>, <?x16xf32>
}
