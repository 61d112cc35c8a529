// Ascend: a sum that is rounded, and then read by element functions alone, comes to the vector cores
// rounded: fixpipe does it, and the workspace has 16 bits. What else reads the sum gets it in f32.
// RUN: %python %S/../language/Inputs/products.py %t
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/ins(%%r : !sluice.buffer<64x144xf16>)/ins(%%s : !sluice.buffer<64x144xf32>)/; s/bb0(%%v: f16)/bb0(%%u: f32)/; /extf/d' %s > %t/both.mlir
// RUN: sluice check %t/both.mlir --dump-after-each 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: sluice run %t/both.mlir --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice emit %s | FileCheck %s --check-prefix=PRINTED
// CHECK: after sluice-place-ascend
// CHECK: sluice.copy %s to %r_workspace : <64x144xf32, l0c, zN>, <64x144xf16, global, row>
// CHECK: sluice.copy {{.*}} to %r_ub : <32x144xf16, global, row>, <32x144xf16, ub, row>
// CHECK: proven: every launch
// BOTH: after sluice-place-ascend
// BOTH: sluice.copy %s to %s_workspace : <64x144xf32, l0c, zN>, <64x144xf32, global, row>
// BOTH: proven: every launch
// RIGHT: within
// PRINTED: storeTile<64, 144>(r_workspace, {
// PRINTED: loadRows<32, 144>(r_ub[at_r_ub.slot], r_workspace, {
sluice.kernel @gemm(%A: !sluice.tensor<?x192xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<192x144xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x144xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x192xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x192xf16>
  %b = sluice.alloc "b" : !sluice.buffer<192x144xf16>
  sluice.load %A[%row, %c0] to %a : <?x192xf16, align 16>, <64x192xf16>
  sluice.load %B[%c0, %c0] to %b : <192x144xf16, align 16>, <192x144xf16>
  %s = sluice.alloc "s" : !sluice.buffer<64x144xf32>
  sluice.fill %s with 0.0 : <64x144xf32>
  sluice.mma %s, %a, %b : <64x144xf32>, <64x192xf16>, <192x144xf16>
  %r = sluice.alloc "r" : !sluice.buffer<64x144xf16>
  sluice.map ins(%s : !sluice.buffer<64x144xf32>) outs(%r : !sluice.buffer<64x144xf16>) {
  ^bb0(%v: f32):
    %w = arith.truncf %v : f32 to f16
    sluice.yield %w : f16
  }
  %y = sluice.alloc "y" : !sluice.buffer<64x144xf32>
  sluice.map ins(%r : !sluice.buffer<64x144xf16>) outs(%y : !sluice.buffer<64x144xf32>) {
  ^bb0(%v: f16):
    %u = arith.extf %v : f16 to f32
    %one = arith.constant 1.0 : f32
    %w = arith.mulf %u, %one : f32
    sluice.yield %w : f32
  }
  sluice.store %y to %C[%row, %c0] : <64x144xf32>, <?x144xf32, align 16>
}
