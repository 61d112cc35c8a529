// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// RUN: sluice emit %s | FileCheck %s
// RUN: sed 's/outs(%%y :/outs(%%a :/' %s > %t.over.mlir
// RUN: not sluice check %t.over.mlir 2>&1 | FileCheck %s --check-prefix=OVER
// An operand of a product that an element function reads too is copied into registers for it.
// PROVEN: proven: every launch
// CHECK: wgmma<64, 1>(acc, kMajor(a, 0), mnMajor(b, 0), false
// CHECK: loadFragmentMatrices<ATile, 4>(a_held, a[0], 0, 0, warp);
// OVER: error: {{.*}}:28:3: unsupported: tile 'a' is loaded for a product; write another tile
sluice.kernel @mp(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %d1 = sluice.dim %C, 0 : <?x?xf16, align 16>
  %x2 = arith.ceildivsi %d1, %c64 : index
  %g = sluice.grid %x2 : index
  %x6 = arith.muli %g, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%x6, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
  sluice.load %B[%c0, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16>
  sluice.map ins(%acc, %a : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf16>) outs(%y : !sluice.buffer<64x64xf16>) {
  ^bb0(%s: f32, %v: f16):
    %e = arith.extf %v : f16 to f32
    %r = arith.addf %s, %e : f32
    %t = arith.truncf %r : f32 to f16
    sluice.yield %t : f16
  }
  sluice.store %y to %C[%x6, %c0] : <64x64xf16>, <?x?xf16, align 16>
}
