// TMA takes boxes from multiples of 16 bytes on, and stores none that starts before the tensor (R40): such tiles go by threads.
// RUN: sluice emit %s | FileCheck %s
// RUN: sluice run %s --random 3 --set X=100x72 Y=100x72
// CHECK-NOT: tmaLoad
// CHECK: loadFragment<4>(x, Window<const float>{XGlobal, {{.*}}, 1, row,
// CHECK-NEXT: shifted{{.*}}}, ctaWarp);
// CHECK: tmaStore<1, 32, 8192>(YMap,
// RUN: sed "s/%%c1 = arith.constant 1/%%c1 = arith.constant -64/" %s > %t.mlir
// RUN: sluice emit %t.mlir | FileCheck %s --check-prefix=WHOLE
// WHOLE: tmaLoad<1, 32, 8192>(
sluice.kernel @shifted(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %columns = sluice.dim %Y, 1 : <?x?xf32, align 16>
  %down = arith.ceildivsi %rows, %c64 : index
  %across = arith.ceildivsi %columns, %c32 : index
  %i, %j = sluice.grid %down, %across : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c32 : index
  %shifted = arith.addi %col, %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32>
  sluice.load %X[%row, %shifted] to %x : <?x?xf32, align 16>, <64x32xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32>
  sluice.map ins(%x : !sluice.buffer<64x32xf32>) outs(%y : !sluice.buffer<64x32xf32>) {
  ^bb0(%v: f32):
    %twice = arith.addf %v, %v : f32
    sluice.yield %twice : f32
  }
  sluice.store %y to %Y[%row, %col] : <64x32xf32>, <?x?xf32, align 16>
}
