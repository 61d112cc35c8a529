// Ascend: f32 that elements of f16 are added to, and that nobody needs any more, is one instruction
// (Axpy of f16 and 1), which widens them on the way; elements of f16 that are scratch too. Those of
// bf16, whose products it does not take, are widened before, and so are those that another
// instruction needs, or whose sum lies elsewhere than what they are added to.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice emit %s | grep -E "(Cast|Axpy|Add|Mul)\\(" | FileCheck %s
// CHECK:      Axpy(s[at_s.slot], a[at_a_b.slot], half(1), 2048);
// CHECK-NEXT: Cast(t0, b[at_a_b.slot], RoundMode::CAST_NONE, 2048);
// CHECK-NEXT: Add(s[at_s.slot], s[at_s.slot], t0, 2048);
// CHECK-NEXT: Cast(u, a[at_a_b.slot], RoundMode::CAST_NONE, 2048);
// CHECK-NEXT: Add(u, s[at_s.slot], u, 2048);
// CHECK-NEXT: Mul(u, u, s[at_s.slot], 2048);
// CHECK-NEXT: Cast(t0, a[at_a_b.slot], RoundMode::CAST_NONE, 2048);
// CHECK-NEXT: Mul(u, t0, u, 2048);
// CHECK-NEXT: Add(u, u, t0, 2048);
// CHECK-NEXT: Cast(t1, u, RoundMode::CAST_RINT, 2048);
// CHECK-NEXT: Axpy(s[at_s.slot], t1, half(1), 2048);
sluice.kernel @sums(%A: !sluice.tensor<64x64xf16> {sluice.name = "A"},
                    %B: !sluice.tensor<64x64xbf16> {sluice.name = "B"},
                    %S: !sluice.tensor<64x64xf32> {sluice.name = "S", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <64x64xf16>, <64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16>
  sluice.load %B[%c0, %c0] to %b : <64x64xbf16>, <64x64xbf16>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf32>
  sluice.fill %s with 1.0 : <64x64xf32>
  sluice.map ins(%a, %s : !sluice.buffer<64x64xf16>, !sluice.buffer<64x64xf32>) outs(%s : !sluice.buffer<64x64xf32>) {
  ^bb0(%e: f16, %x: f32):
    %w = arith.extf %e : f16 to f32
    %y = arith.addf %w, %x : f32
    sluice.yield %y : f32
  }
  sluice.map ins(%s, %b : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xbf16>) outs(%s : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32, %e: bf16):
    %w = arith.extf %e : bf16 to f32
    %y = arith.addf %x, %w : f32
    sluice.yield %y : f32
  }
  %u = sluice.alloc "u" : !sluice.buffer<64x64xf32>
  sluice.map ins(%s, %a : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf16>) outs(%u : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32, %e: f16):
    %w = arith.extf %e : f16 to f32
    %y = arith.addf %x, %w : f32
    %z = arith.mulf %y, %x : f32
    sluice.yield %z : f32
  }
  sluice.map ins(%s, %u, %a : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf16>) outs(%s : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32, %v: f32, %e: f16):
    %w = arith.extf %e : f16 to f32
    %p = arith.mulf %w, %v : f32
    %q = arith.addf %p, %w : f32
    %h = arith.truncf %q : f32 to f16
    %g = arith.extf %h : f16 to f32
    %y = arith.addf %g, %x : f32
    sluice.yield %y : f32
  }
  sluice.store %s to %S[%c0, %c0] : <64x64xf32>, <64x64xf32>
}
