// Ascend: an operand that stays in L0A over the loop lies there in the parts that products take, one
// below the other: Mmad has no distance between fractals. What functions compute comes to lie in the
// tile that it is for, also where that tile is read; 2^x that may be approximate is e^(x ln 2).
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: %python %S/../language/Inputs/resident_parts.py %t
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy --set W=40x50 --expect W=%t/W.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: within
// RUN: sluice emit %s | FileCheck %s
// CHECK: q_l0a {{ *}}l0a {{.*}}f16 256 x 64 zZ
// CHECK: loadFractals<8, 4, 1, 8, false>(q_l0a, q);
// CHECK-NEXT: loadFractals<8, 4, 1, 8, false>(q_l0a[8192], q[8192]);
// CHECK: Mmad(s[at_s.slot], q_l0a[(kk / 64 * 128) * 64], k_l0b[at_k_l0b.slot],
// CHECK-NEXT: product(128, 128, 64, kk != 0));
// CHECK: Muls(x[at_x.slot], s_ub[at_s_ub.slot], 0.125f, 8192);
// CHECK: Muls(x[at_x.slot], x[at_x.slot], 0.6931472f, 8192);
// CHECK: Exp(x[at_x.slot], x[at_x.slot], 8192);
sluice.kernel @weights(%Q: !sluice.tensor<?x128xf16, rows 0, align 16> {sluice.name = "Q"},
                       %K: !sluice.tensor<?x128xf16, rows 0, align 16> {sluice.name = "K"},
                       %W: !sluice.tensor<?x?xf32> {sluice.name = "W", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %Q, 0 : <?x128xf16, rows 0, align 16>
  %keys = sluice.dim %K, 0 : <?x128xf16, rows 0, align 16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %tiles = arith.ceildivsi %keys, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16>
  sluice.load %Q[%row, %c0] to %q : <?x128xf16, rows 0, align 16>, <128x128xf16>
  scf.for %t = %c0 to %tiles step %c1 {
    %key = arith.muli %t, %c128 : index
    %k = sluice.alloc "k" : !sluice.buffer<128x128xf16>
    sluice.load %K[%key, %c0] to %k : <?x128xf16, rows 0, align 16>, <128x128xf16>
    %kT = sluice.transpose %k : <128x128xf16>
    %s = sluice.alloc "s" : !sluice.buffer<128x128xf32>
    sluice.fill %s with 0.0 : <128x128xf32>
    sluice.mma %s, %q, %kT : <128x128xf32>, <128x128xf16>, <128x128xf16, minor 0>
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32>
    sluice.map ins(%s : !sluice.buffer<128x128xf32>) outs(%x : !sluice.buffer<128x128xf32>) {
    ^bb0(%e: f32):
      %eighth = arith.constant 0.125 : f32
      %z = arith.mulf %e, %eighth : f32
      %y = math.exp2 %z fastmath<afn> : f32
      sluice.yield %y : f32
    }
    sluice.store %x to %W[%row, %key] : <128x128xf32>, <?x?xf32>
  } {sluice.name = "t", sluice.slots = {l1 = 2 : i64, l0b = 4 : i64}}
}
