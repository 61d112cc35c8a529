// Choices by column against an end of each row: what the printed text asks of 256 columns at a time, whatever the end is.
// RUN: sluice emit %s | FileCheck %s
// CHECK: if (blockedEnd(y.colIndex(i1)) <= ((blockedRow<4>(y.rowIndex(i1), ctaWarp) > 5) ? 512
// CHECK-NEXT: : 100)) {
// RUN: sluice run %s --random 3 --device host --set X=67x504 Y=67x504 | FileCheck %s --check-prefix=SAME
// SAME: all 33768 are the virtual machine's, bit by bit
// RUN: sed 's/%end = .*/%end = arith.andi %r, %few : index/' %s > %t.bits.mlir
// RUN: sluice run %t.bits.mlir --random 3 --device host --set X=67x504 Y=67x504 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/%end = .*/%end = arith.muli %r, %wide : index/' %s > %t.wide.mlir
// RUN: sluice run %t.wide.mlir --random 3 --device host --set X=67x504 Y=67x504 | FileCheck %s --check-prefix=SAME
sluice.kernel @choose(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c32 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x512xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <32x512xf32>
  %y = sluice.alloc "y" : !sluice.buffer<32x512xf32>
  sluice.map ins(%x : !sluice.buffer<32x512xf32>) outs(%y : !sluice.buffer<32x512xf32>) coordinates {
  ^bb0(%v: f32, %r: index, %c: index):
    %five = arith.constant 5 : index
    %all = arith.constant 512 : index
    %few = arith.constant 100 : index
    %wide = arith.constant -4000000000 : index
    %late = arith.cmpi sgt, %r, %five : index
    %end = arith.select %late, %all, %few : index
    %there = arith.cmpi slt, %c, %end : index
    %zero = arith.constant 0.0 : f32
    %o = arith.select %there, %v, %zero : f32
    sluice.yield %o : f32
  }
  sluice.store %y to %Y[%row, %c0] : <32x512xf32>, <?x?xf32, align 16>
}
