// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// RUN: sluice emit %s | FileCheck %s
// RUN: sed 's/xi32/xi8/g; s/ i32/ i8/g' %s > %t.bytes.mlir
// RUN: not sluice check %t.bytes.mlir 2>&1 | FileCheck %s --check-prefix=BYTES
// Integers that are loaded and computed with; of 8 bits by whole rows alone.
// PROVEN: proven: every launch
// CHECK: loadFragment<4>(a, Window<const int>{
// CHECK: float(wrapAdd<int>(
// BYTES: error: {{.*}}:19:8: unsupported: tile 'a' of 'i8' waits in registers, where sm_90a computes with f32, f16, bf16 and, in matrices, i32; by whole rows also with e4m3, e5m2 and i8
sluice.kernel @integers(%X: !sluice.tensor<?x?xi32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %d1 = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %x2 = arith.ceildivsi %d1, %c64 : index
  %g = sluice.grid %x2 : index
  %x6 = arith.muli %g, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xi32>
  sluice.load %X[%x6, %c0] to %a : <?x?xi32, align 16>, <64x64xi32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.map ins(%a : !sluice.buffer<64x64xi32>) outs(%y : !sluice.buffer<64x64xf32>) {
  ^bb0(%v: i32):
    %e = arith.addi %v, %v : i32
    %t = arith.sitofp %e : i32 to f32
    sluice.yield %t : f32
  }
  sluice.store %y to %Y[%x6, %c0] : <64x64xf32>, <?x?xf32, align 16>
}
