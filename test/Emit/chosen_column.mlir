// The number in the column that an integer of its row names: 8 columns at a time are asked whether one is it, where the
// column goes up by one; of others, and of fewer than 2048 columns, each is asked.
// RUN: sluice emit %s | FileCheck %s
// CHECK: const u32 apart = u32(wrapSub<int>(place.get(picked.rowIndex(i1)),
// CHECK: if (apart < 8) {
// CHECK: if (apart == e1)
// RUN: sluice run %s --random 3 --device host --set X=19x2040 P=19x1 Y=19x1 | FileCheck %s --check-prefix=SAME
// SAME: all 19 are the virtual machine's, bit by bit
// RUN: sed 's/%next = .*/%next = arith.muli %c, %by : index/' %s > %t.steps.mlir
// RUN: sluice emit %t.steps.mlir | FileCheck %s --check-prefix=EACH
// RUN: sluice run %t.steps.mlir --random 3 --device host --set X=19x2040 P=19x1 Y=19x1 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/x2048x/x1024x/g' %s > %t.few.mlir
// RUN: sluice emit %t.few.mlir | FileCheck %s --check-prefix=EACH
// EACH-NOT: const u32 apart
sluice.kernel @choose(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                      %P: !sluice.tensor<?x1xi32> {sluice.name = "P"},
                      %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c8 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x2048xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <8x2048xf32>
  %place = sluice.alloc "place" : !sluice.buffer<8x1xi32>
  sluice.load %P[%row, %c0] to %place : <?x1xi32>, <8x1xi32>
  %picked = sluice.alloc "picked" : !sluice.buffer<8x2048xf32>
  sluice.map ins(%x, %place : !sluice.buffer<8x2048xf32>, !sluice.buffer<8x1xi32>)
      outs(%picked : !sluice.buffer<8x2048xf32>) coordinates {
  ^bb0(%v: f32, %p: i32, %r: index, %c: index):
    %by = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %next = arith.addi %c, %by : index
    %column = arith.index_cast %next : index to i32
    %it = arith.cmpi eq, %column, %p : i32
    %o = arith.select %it, %v, %zero : f32
    sluice.yield %o : f32
  }
  %y = sluice.alloc "y" : !sluice.buffer<8x1xf32>
  sluice.reduce ins(%picked : !sluice.buffer<8x2048xf32>) outs(%y : !sluice.buffer<8x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %v: f32):
    %t = arith.addf %s, %v : f32
    sluice.yield %t : f32
  }
  sluice.store %y to %Y[%row, %c0] : <8x1xf32>, <?x1xf32>
}
