// A vector of integers beside tiles by whole rows: labels that a column's number is compared with,
// and stored again.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: BlockedRowVector<int, 1> label;
// TEXT: blockedCol(y.colIndex({{.*}})) == label.get(y.rowIndex(
// TEXT: storeBlockedRowVector<4>(Window<int>{MGlobal
// RUN: %python %S/Inputs/labels.py %t 256 3 0 255 -1 7
// RUN: sluice run %s --in L=%t.l.npy --set Y=5x256 M=5x1 --expect Y=%t.y.npy M=%t.l.npy
sluice.kernel @one_hot(%L: !sluice.tensor<?x1xi32> {sluice.name = "L"},
                       %Y: !sluice.tensor<?x256xf32, align 16> {sluice.name = "Y", sluice.out},
                       %M: !sluice.tensor<?x1xi32> {sluice.name = "M", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = sluice.dim %L, 0 : <?x1xi32>
  %n = arith.ceildivsi %m, %c4 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c4 : index
  %label = sluice.alloc "label" : !sluice.buffer<4x1xi32>
  sluice.load %L[%row, %c0] to %label : <?x1xi32>, <4x1xi32>
  %y = sluice.alloc "y" : !sluice.buffer<4x256xf32>
  sluice.map ins(%label : !sluice.buffer<4x1xi32>) outs(%y : !sluice.buffer<4x256xf32>) coordinates {
  ^bb0(%l: i32, %r: index, %c: index):
    %k = arith.index_cast %c : index to i32
    %same = arith.cmpi eq, %k, %l : i32
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %z = arith.select %same, %one, %zero : f32
    sluice.yield %z : f32
  }
  sluice.store %y to %Y[%row, %c0] : <4x256xf32>, <?x256xf32, align 16>
  sluice.store %label to %M[%row, %c0] : <4x1xi32>, <?x1xi32>
}
