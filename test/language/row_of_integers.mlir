// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// RUN: sluice emit %s | FileCheck %s
// RUN: sed 's/1x1xi32/1x256xi32/g' %s > %t.wide.mlir
// RUN: not sluice emit %t.wide.mlir 2>&1 | FileCheck %s --check-prefix=WIDE
// An integer for a tile of whole rows, which every lane has; a row of them, which lanes would share, has no form.
// PROVEN: proven: every launch
// CHECK: BlockedColVector<int, 1> a;
// CHECK: loadBlockedColVector<{{[0-9]+}}>(a,
// CHECK: float(a.get(
// WIDE: error: {{.*}}row_of_integers.mlir{{.*}}elements of type i32 have no form here; f32, f16 and bf16 have
sluice.kernel @row(%X: !sluice.tensor<1x?xi32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %rows = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %blocks = arith.ceildivsi %rows, %c8 : index
  %g = sluice.grid %blocks : index
  %row = arith.muli %g, %c8 : index
  %a = sluice.alloc "a" : !sluice.buffer<1x1xi32>
  sluice.load %X[%c0, %c0] to %a : <1x?xi32, align 16>, <1x1xi32>
  %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
  sluice.map ins(%a : !sluice.buffer<1x1xi32>) outs(%y : !sluice.buffer<8x256xf32>) {
  ^bb0(%v: i32):
    %t = arith.sitofp %v : i32 to f32
    sluice.yield %t : f32
  }
  sluice.store %y to %Y[%row, %c0] : <8x256xf32>, <?x?xf32, align 16>
}
