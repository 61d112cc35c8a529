// Ascend: a rounded sum that the next step reads, in front of the function that rounds it, stays on
// the vector cores: fixpipe would round it where nobody has read the one before.
// RUN: %python %S/../language/Inputs/products.py %t
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy | FileCheck %s --check-prefix=RIGHT
// CHECK: after sluice-place-ascend
// CHECK: sluice.copy %s to %s_workspace : <64x144xf32, l0c, zN>, <64x144xf32, global, row>
// CHECK: proven: every launch
// RIGHT: within
sluice.kernel @gemm(%A: !sluice.tensor<?x192xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<192x144xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x144xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x192xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c64 : index
  %r = sluice.alloc "r" : !sluice.buffer<64x144xf16>
  sluice.fill %r with 0.0 : <64x144xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x144xf32>
  sluice.fill %y with 0.0 : <64x144xf32>
  scf.for %k = %c0 to %c3 step %c1 {
    sluice.map ins(%y, %r : !sluice.buffer<64x144xf32>, !sluice.buffer<64x144xf16>)
        outs(%y : !sluice.buffer<64x144xf32>) {
    ^bb0(%sum: f32, %v: f16):
      %u = arith.extf %v : f16 to f32
      %w = arith.addf %sum, %u : f32
      sluice.yield %w : f32
    }
    %at = arith.muli %k, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x144xf16>
    sluice.load %A[%row, %at] to %a : <?x192xf16, align 16>, <64x64xf16>
    sluice.load %B[%at, %c0] to %b : <192x144xf16, align 16>, <64x144xf16>
    %s = sluice.alloc "s" : !sluice.buffer<64x144xf32>
    sluice.fill %s with 0.0 : <64x144xf32>
    sluice.mma %s, %a, %b : <64x144xf32>, <64x64xf16>, <64x144xf16>
    sluice.map ins(%s : !sluice.buffer<64x144xf32>) outs(%r : !sluice.buffer<64x144xf16>) {
    ^bb0(%v: f32):
      %w = arith.truncf %v : f32 to f16
      sluice.yield %w : f16
    }
  } {sluice.stages = 2}
  sluice.map ins(%y, %r : !sluice.buffer<64x144xf32>, !sluice.buffer<64x144xf16>)
      outs(%y : !sluice.buffer<64x144xf32>) {
  ^bb0(%sum: f32, %v: f16):
    %u = arith.extf %v : f16 to f32
    %w = arith.addf %sum, %u : f32
    sluice.yield %w : f32
  }
  sluice.store %y to %C[%row, %c0] : <64x144xf32>, <?x144xf32, align 16>
}
