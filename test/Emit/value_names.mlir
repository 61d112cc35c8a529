// Values that are called like functions of device/ have other names in the text, which calls those.
// RUN: sluice emit %s | FileCheck %s
// CHECK: const int remainder1 = remainder(i, cols);
// CHECK: const int quotient1 = quotient(i, cols);
// CHECK: (blockedCol(x.colIndex(i1)) + blockedCol1)
// RUN: sluice run %s --random 3 --device host --set X=67x504 Y=67x504 | FileCheck %s --check-prefix=SAME
// SAME: all 33768 are the virtual machine's, bit by bit
sluice.kernel @names(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %cols = sluice.dim %X, 1 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c32 : index
  %i = sluice.grid %n : index
  %remainder = arith.remsi %i, %cols : index
  %quotient = arith.divsi %i, %cols : index
  %blockedCol = arith.addi %quotient, %remainder : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x512xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <32x512xf32>
  sluice.map ins(%x : !sluice.buffer<32x512xf32>) outs(%x : !sluice.buffer<32x512xf32>) coordinates {
  ^bb0(%v: f32, %r: index, %c: index):
    %a = arith.addi %c, %blockedCol : index
    %b = arith.cmpi slt, %a, %quotient : index
    %z = arith.constant 3.0 : f32
    %o = arith.select %b, %v, %z : f32
    sluice.yield %o : f32
  }
  sluice.store %x to %Y[%row, %c0] : <32x512xf32>, <?x?xf32, align 16>
}
